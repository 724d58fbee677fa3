// Client and server of hub.capnp in C++: `peer server ADDRESS`, `peer client ADDRESS`.
//
// The client prints a line for each of its scenarios, "ok NAME" or "failed NAME: why".

#include <capnp/ez-rpc.h>
#include <kj/debug.h>
#include <kj/vector.h>

#include <unistd.h>

#include <functional>
#include <iostream>
#include <string>

#include "hub.capnp.h"

namespace {

constexpr uint64_t MEGABYTE = 1 << 20;
constexpr uint32_t CHUNKS = 256;
constexpr size_t CHUNK_BYTES = 64 << 10;

capnp::ReaderOptions options() {
  capnp::ReaderOptions made;
  made.traversalLimitInWords = 1 << 26;
  return made;
}

class CounterServer final : public Counter::Server {
 public:
  explicit CounterServer(int64_t start) : value(start) {}
  kj::Promise<void> next(NextContext context) override {
    context.getResults().setValue(value++);
    return kj::READY_NOW;
  }

 private:
  int64_t value;
};

class ListenerServer final : public Listener::Server {
 public:
  kj::Promise<void> heard(HeardContext context) override {
    context.getResults().setAnswer(context.getParams().getValue() * 10);
    return kj::READY_NOW;
  }
};

class SinkServer final : public Sink::Server {
 public:
  kj::Promise<void> write(WriteContext context) override {
    size += context.getParams().getChunk().size();
    ++chunks;
    return kj::READY_NOW;
  }
  kj::Promise<void> done(DoneContext context) override {
    auto results = context.getResults();
    results.setSize(size);
    results.setChunks(chunks);
    return kj::READY_NOW;
  }

 private:
  uint64_t size = 0;
  uint32_t chunks = 0;
};

class HubServer final : public Hub::Server {
 public:
  kj::Promise<void> echo(EchoContext context) override {
    auto params = context.getParams();
    auto results = context.getResults();
    results.setText(params.getText());
    results.setData(params.getData());
    return kj::READY_NOW;
  }
  kj::Promise<void> add(AddContext context) override {
    auto params = context.getParams();
    context.getResults().setSum(params.getA() + params.getB());
    return kj::READY_NOW;
  }
  kj::Promise<void> makeCounter(MakeCounterContext context) override {
    context.getResults().setCounter(kj::heap<CounterServer>(context.getParams().getStart()));
    return kj::READY_NOW;
  }
  kj::Promise<void> notify(NotifyContext context) override {
    auto params = context.getParams();
    return sum(params.getListener(), 0, params.getTimes(), 0).then([context](int64_t total) mutable {
      context.getResults().setSum(total);
    });
  }
  kj::Promise<void> fail(FailContext context) override {
    auto params = context.getParams();
    kj::Exception::Type type = static_cast<kj::Exception::Type>(static_cast<int>(params.getKind()));
    return kj::Exception(type, __FILE__, __LINE__, kj::str(params.getReason()));
  }
  kj::Promise<void> never([[maybe_unused]] NeverContext context) override {
#if CAPNP_VERSION < 1000000
    context.allowCancellation();  // what later versions read in the schema
#endif
    return kj::Promise<void>(kj::NEVER_DONE).attach(kj::defer([this]() { ++cancellations; }));
  }
  kj::Promise<void> cancelled(CancelledContext context) override {
    context.getResults().setCount(cancellations);
    return kj::READY_NOW;
  }
  kj::Promise<void> upload(UploadContext context) override {
    context.getResults().setSink(kj::heap<SinkServer>());
    return kj::READY_NOW;
  }
  kj::Promise<void> tail(TailContext context) override {
    auto params = context.getParams();
    auto request = params.getTarget().addRequest();
    request.setA(params.getA());
    request.setB(params.getB());
    return context.tailCall(kj::mv(request));
  }
  kj::Promise<void> hold(HoldContext context) override {
    kept = context.getParams().getListener();
    return kj::READY_NOW;
  }
  kj::Promise<void> held(HeldContext context) override {
    context.getResults().setListener(kept);
    return kj::READY_NOW;
  }
  kj::Promise<void> reflect(ReflectContext context) override {
    context.getResults().setCounter(context.getParams().getCounter());
    return kj::READY_NOW;
  }
  kj::Promise<void> nothing(NothingContext) override { return kj::READY_NOW; }

 private:
  uint32_t cancellations = 0;
  Listener::Client kept = nullptr;

  static kj::Promise<int64_t> sum(Listener::Client listener, uint32_t from, uint32_t to, int64_t total) {
    if (from == to) return total;
    auto request = listener.heardRequest();
    request.setValue(from);
    return request.send().then([listener, from, to, total](capnp::Response<Listener::HeardResults> response) mutable {
      return sum(kj::mv(listener), from + 1, to, total + response.getAnswer());
    });
  }
};

int serve(const char* address) {
  capnp::EzRpcServer server(kj::heap<HubServer>(), address, 0, options());
  auto& scope = server.getWaitScope();
  server.getPort().wait(scope);
  std::cout << "ready" << std::endl;
  kj::NEVER_DONE.wait(scope);
}

class Scenarios {
 public:
  Scenarios(Hub::Client hub, kj::WaitScope& scope) : hub(kj::mv(hub)), scope(scope) {}

  int run() {
    check("echo", [this]() { echo(1000); });
    check("large", [this]() { echo(64 * MEGABYTE); });
    check("add", [this]() { KJ_REQUIRE(add(2, 3).wait(scope).getSum() == 5); });
    check("pipelining", [this]() { pipelining(); });
    check("many", [this]() { many(); });
    check("callbacks", [this]() { callbacks(); });
    for (int kind = 0; kind < 4; ++kind) {
      check(std::string("error_") + KINDS[kind], [this, kind]() { fail(kind); });
    }
    check("missing", [this]() { missing(); });
    check("cancellation", [this]() { cancellation(); });
    check("streaming", [this]() { streaming(); });
    check("tail_call_back", [this]() { tail(kj::heap<HubServer>()); });
    check("tail_call", [this]() { tail(hub); });
    check("holding", [this]() { holding(); });
    check("embargo", [this]() { embargo(); });
    check("null", [this]() { nothing(); });
    return failures ? 1 : 0;
  }

 private:
  static constexpr const char* KINDS[] = {"failed", "overloaded", "disconnected", "unimplemented"};

  Hub::Client hub;
  kj::WaitScope& scope;
  int failures = 0;

  void check(const std::string& name, std::function<void()> scenario) {
    KJ_IF_MAYBE(exception, kj::runCatchingExceptions([&]() { scenario(); })) {
      ++failures;
      std::cout << "failed " << name << ": " << kj::str(exception->getDescription()).cStr() << std::endl;
    } else {
      std::cout << "ok " << name << std::endl;
    }
  }

  capnp::RemotePromise<Hub::Sum> add(int64_t a, int64_t b) {
    auto request = hub.addRequest();
    request.setA(a);
    request.setB(b);
    return request.send();
  }

  void echo(size_t size) {
    auto data = kj::heapArray<kj::byte>(size);
    for (size_t i = 0; i < size; ++i) data[i] = i * 7;
    auto request = hub.echoRequest();
    request.setText("wörter");
    request.setData(data);
    auto response = request.send().wait(scope);
    KJ_REQUIRE(response.getText() == "wörter");
    KJ_REQUIRE(response.getData() == data);
  }

  capnp::RemotePromise<Hub::MakeCounterResults> makeCounter(int64_t start) {
    auto request = hub.makeCounterRequest();
    request.setStart(start);
    return request.send();
  }

  capnp::RemotePromise<Hub::ReflectResults> reflect(Counter::Client counter) {
    auto request = hub.reflectRequest();
    request.setCounter(kj::mv(counter));
    return request.send();
  }

  void pipelining() {
    auto value = reflect(reflect(makeCounter(7).getCounter()).getCounter()).getCounter().nextRequest().send();
    KJ_REQUIRE(value.wait(scope).getValue() == 7);
  }

  void many() {
    kj::Vector<capnp::RemotePromise<Hub::Sum>> promises;
    for (int i = 0; i < 256; ++i) promises.add(add(i, 1));
    for (int i = 0; i < 256; ++i) KJ_REQUIRE(promises[i].wait(scope).getSum() == i + 1);
  }

  void callbacks() {
    auto request = hub.notifyRequest();
    request.setListener(kj::heap<ListenerServer>());
    request.setTimes(10);
    KJ_REQUIRE(request.send().wait(scope).getSum() == 450);
  }

  void fail(int kind) {
    auto request = hub.failRequest();
    request.setKind(static_cast<Hub::Kind>(kind));
    request.setReason("what happened");
    KJ_IF_MAYBE(exception, kj::runCatchingExceptions([&]() { request.send().wait(scope); })) {
      KJ_REQUIRE(static_cast<int>(exception->getType()) == kind, exception->getType());
      KJ_REQUIRE(std::string(exception->getDescription().cStr()).find("what happened") != std::string::npos,
                 exception->getDescription());
    } else {
      KJ_FAIL_REQUIRE("it did not fail");
    }
  }

  void missing() {
    KJ_IF_MAYBE(exception, kj::runCatchingExceptions([&]() { hub.missingRequest().send().wait(scope); })) {
      KJ_REQUIRE(exception->getType() == kj::Exception::Type::UNIMPLEMENTED, exception->getType());
    } else {
      KJ_FAIL_REQUIRE("it did not fail");
    }
  }

  uint32_t cancelled() { return hub.cancelledRequest().send().wait(scope).getCount(); }

  void cancellation() {
    uint32_t before = cancelled();
    {
      auto request = hub.neverRequest();
      request.setHeld(kj::heap<CounterServer>(1));
      auto promise = request.send().then([](capnp::Response<Hub::NeverResults>) {});
      cancelled();  // so that it has begun
    }
    for (int i = 0; i < 1000 && cancelled() == before; ++i) {}
    KJ_REQUIRE(cancelled() == before + 1);
  }

  void streaming() {
    auto sink = hub.uploadRequest().send().getSink();
    auto chunk = kj::heapArray<kj::byte>(CHUNK_BYTES);
    for (uint32_t i = 0; i < CHUNKS; ++i) {
      auto request = sink.writeRequest();
      request.setChunk(chunk);
      request.send().wait(scope);
    }
    auto response = sink.doneRequest().send().wait(scope);
    KJ_REQUIRE(response.getSize() == CHUNKS * CHUNK_BYTES);
    KJ_REQUIRE(response.getChunks() == CHUNKS);
  }

  void tail(Hub::Client target) {
    auto request = hub.tailRequest();
    request.setTarget(kj::mv(target));
    request.setA(20);
    request.setB(22);
    KJ_REQUIRE(request.send().wait(scope).getSum() == 42);
  }

  void holding() {
    auto request = hub.holdRequest();
    request.setListener(kj::heap<ListenerServer>());
    request.send().wait(scope);
    auto back = hub.heldRequest().send().wait(scope).getListener();
    auto call = back.heardRequest();
    call.setValue(5);
    KJ_REQUIRE(call.send().wait(scope).getAnswer() == 50);
  }

  void embargo() {
    auto promise = reflect(kj::heap<CounterServer>(100));
    auto early = promise.getCounter();
    usleep(50000);  // the answer comes meanwhile, and is read when the first calls are on their way
    kj::Vector<capnp::RemotePromise<Counter::NextResults>> calls;
    for (int i = 0; i < 3; ++i) calls.add(early.nextRequest().send());
    promise.wait(scope);
    for (int i = 0; i < 3; ++i) calls.add(early.nextRequest().send());
    for (int i = 0; i < 6; ++i) {
      int64_t value = calls[i].wait(scope).getValue();
      KJ_REQUIRE(value == 100 + i, value, i);
    }
  }

  void nothing() {
    auto call = hub.nothingRequest().send().getCounter().nextRequest().send();
    KJ_IF_MAYBE(exception, kj::runCatchingExceptions([&]() { call.wait(scope); })) {
      KJ_REQUIRE(add(1, 1).wait(scope).getSum() == 2, *exception);
    } else {
      KJ_FAIL_REQUIRE("it did not fail");
    }
  }
};

constexpr const char* Scenarios::KINDS[];

int call(const char* address) {
  capnp::EzRpcClient client(address, 0, options());
  return Scenarios(client.getMain<Hub>(), client.getWaitScope()).run();
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::string(arguments[1]) == "server") return serve(arguments[2]);
  if (count == 3 && std::string(arguments[1]) == "client") return call(arguments[2]);
  std::cerr << "usage: peer server|client ADDRESS" << std::endl;
  return 2;
}
