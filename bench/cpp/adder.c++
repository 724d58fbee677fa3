// The server of adder.capnp in C++: `adder PATH`.

#include <capnp/ez-rpc.h>

#include <iostream>

#include "adder.capnp.h"

namespace {

class AdderServer final : public Adder::Server {
 public:
  kj::Promise<void> add(AddContext context) override {
    auto params = context.getParams();
    context.getResults().setSum(params.getA() + params.getB());
    return kj::READY_NOW;
  }
  kj::Promise<void> next(NextContext context) override {
    context.getResults().setAdder(thisCap());
    return kj::READY_NOW;
  }
  kj::Promise<void> echo(EchoContext context) override {
    context.getResults().setData(context.getParams().getData());
    return kj::READY_NOW;
  }
};

}  // namespace

int main(int, char** arguments) {
  capnp::EzRpcServer server(kj::heap<AdderServer>(), kj::str("unix:", arguments[1]));
  auto& scope = server.getWaitScope();
  server.getPort().wait(scope);
  std::cout << "ready" << std::endl;
  kj::NEVER_DONE.wait(scope);
}
