// The calculator of examples/calculator in C++: `calculator server ADDRESS`, which prints its port, and
// `calculator client ADDRESS`, which prints what it has worked out.

#include <capnp/ez-rpc.h>
#include <kj/debug.h>

#include <iostream>
#include <string>
#include <vector>

#include "calculator.capnp.h"

namespace {

using Numbers = std::vector<double>;

class ValueServer final : public Calculator::Value::Server {
 public:
  explicit ValueServer(double value) : value(value) {}
  kj::Promise<void> read(ReadContext context) override {
    context.getResults().setValue(value);
    return kj::READY_NOW;
  }

 private:
  double value;
};

kj::Promise<double> evaluate(Calculator::Expression::Reader expression, Numbers params = {});

kj::Promise<Numbers> evaluateAll(capnp::List<Calculator::Expression>::Reader expressions, uint from, Numbers params,
                                 Numbers done = {}) {
  if (from == expressions.size()) return done;
  return evaluate(expressions[from], params).then([=](double value) mutable {
    done.push_back(value);
    return evaluateAll(expressions, from + 1, params, done);
  });
}

kj::Promise<double> evaluate(Calculator::Expression::Reader expression, Numbers params) {
  switch (expression.which()) {
    case Calculator::Expression::LITERAL:
      return expression.getLiteral();
    case Calculator::Expression::PREVIOUS_RESULT:
      return expression.getPreviousResult().readRequest().send().then([](auto&& answer) { return answer.getValue(); });
    case Calculator::Expression::PARAMETER:
      KJ_REQUIRE(expression.getParameter() < params.size(), "there is no such parameter");
      return params[expression.getParameter()];
    case Calculator::Expression::CALL: {
      auto call = expression.getCall();
      auto function = call.getFunction();
      return evaluateAll(call.getParams(), 0, params).then([function](Numbers values) mutable {
        auto request = function.callRequest();
        auto list = request.initParams(values.size());
        for (uint i = 0; i < values.size(); ++i) list.set(i, values[i]);
        return request.send().then([](auto&& answer) { return answer.getValue(); });
      });
    }
  }
  KJ_FAIL_REQUIRE("an expression of an unknown kind");
}

class OperatorServer final : public Calculator::Function::Server {
 public:
  explicit OperatorServer(Calculator::Operator op) : op(op) {}
  kj::Promise<void> call(CallContext context) override {
    auto params = context.getParams().getParams();
    KJ_REQUIRE(params.size() == 2, "an operator has two parameters");
    double a = params[0], b = params[1];
    context.getResults().setValue(op == Calculator::Operator::ADD        ? a + b
                                  : op == Calculator::Operator::SUBTRACT ? a - b
                                  : op == Calculator::Operator::MULTIPLY ? a * b
                                                                         : a / b);
    return kj::READY_NOW;
  }

 private:
  Calculator::Operator op;
};

class DefinedServer final : public Calculator::Function::Server {
 public:
  DefinedServer(uint count, Calculator::Expression::Reader expression) : count(count) { body.setRoot(expression); }
  kj::Promise<void> call(CallContext context) override {
    auto params = context.getParams().getParams();
    KJ_REQUIRE(params.size() == count, "a wrong number of parameters");
    Numbers values;
    for (double each : params) values.push_back(each);
    return evaluate(body.getRoot<Calculator::Expression>().asReader(), values).then([context](double value) mutable {
      context.getResults().setValue(value);
    });
  }

 private:
  uint count;
  capnp::MallocMessageBuilder body;
};

class CalculatorServer final : public Calculator::Server {
 public:
  kj::Promise<void> evaluate(EvaluateContext context) override {
    return ::evaluate(context.getParams().getExpression()).then([context](double value) mutable {
      context.getResults().setValue(kj::heap<ValueServer>(value));
    });
  }
  kj::Promise<void> defFunction(DefFunctionContext context) override {
    auto params = context.getParams();
    context.getResults().setFunc(kj::heap<DefinedServer>(params.getParamCount(), params.getBody()));
    return kj::READY_NOW;
  }
  kj::Promise<void> getOperator(GetOperatorContext context) override {
    context.getResults().setFunc(kj::heap<OperatorServer>(context.getParams().getOp()));
    return kj::READY_NOW;
  }
};

class PowerServer final : public Calculator::Function::Server {
 public:
  kj::Promise<void> call(CallContext context) override {
    auto params = context.getParams().getParams();
    double result = 1;
    for (int i = 0; i < params[1]; ++i) result *= params[0];
    context.getResults().setValue(result);
    return kj::READY_NOW;
  }
};

int serve(const char* address) {
  capnp::EzRpcServer server(kj::heap<CalculatorServer>(), address);
  auto& scope = server.getWaitScope();
  std::cout << server.getPort().wait(scope) << std::endl;
  kj::NEVER_DONE.wait(scope);
}

int call(const char* address) {
  capnp::EzRpcClient client(address);
  auto& scope = client.getWaitScope();
  auto calculator = client.getMain<Calculator>();
  auto addition = calculator.getOperatorRequest();
  addition.setOp(Calculator::Operator::ADD);
  auto add = addition.send().getFunc();

  // 123 + (2 ** 3), the latter by a function of this side's.
  auto request = calculator.evaluateRequest();
  auto sum = request.getExpression().initCall();
  sum.setFunction(add);
  auto params = sum.initParams(2);
  params[0].setLiteral(123);
  auto power = params[1].initCall();
  power.setFunction(kj::heap<PowerServer>());
  auto powers = power.initParams(2);
  powers[0].setLiteral(2);
  powers[1].setLiteral(3);
  std::cout << request.send().getValue().readRequest().send().wait(scope).getValue() << std::endl;

  auto definition = calculator.defFunctionRequest();
  definition.setParamCount(1);
  auto body = definition.getBody().initCall();
  body.setFunction(add);
  auto terms = body.initParams(2);
  terms[0].setParameter(0);
  terms[1].setLiteral(1);
  auto next = definition.send().getFunc().callRequest();
  next.initParams(1).set(0, 41);
  std::cout << next.send().wait(scope).getValue() << std::endl;
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 3 && std::string(arguments[1]) == "server") return serve(arguments[2]);
  if (count == 3 && std::string(arguments[1]) == "client") return call(arguments[2]);
  std::cerr << "usage: calculator server|client ADDRESS" << std::endl;
  return 2;
}
