// Eval: see bench/cases/evaluation.py.

#pragma once

#include <cstdlib>
#include <limits>
#include <memory>

#include "eval.capnp.h"
#include "generator.h"

namespace evaluation {

struct Drawn {
  struct Side {
    int32_t value;
    std::unique_ptr<Drawn> expression;
  };

  Operation op;
  Side left, right;
};

constexpr int32_t MAXIMUM = std::numeric_limits<int32_t>::max(), MINIMUM = std::numeric_limits<int32_t>::min();

inline int32_t compute(Operation op, int32_t left, int32_t right) {
  bool undefined = right == 0 || (right == -1 && left == MINIMUM);
  switch (op) {
    case Operation::ADD:
      return uint32_t(left) + uint32_t(right);
    case Operation::SUBTRACT:
      return uint32_t(left) - uint32_t(right);
    case Operation::MULTIPLY:
      return uint32_t(left) * uint32_t(right);
    case Operation::DIVIDE:
      return undefined ? MAXIMUM : left / right;
    case Operation::MODULUS:
      return undefined ? MAXIMUM : left % right;
  }
  abort();
}

struct Case {
  using Request = Expression;
  using Response = EvaluationResult;
  using Content = std::unique_ptr<Drawn>;

  static Content draw(Generator& random) { return drawExpression(random, 0); }

  static std::unique_ptr<Drawn> drawExpression(Generator& random, unsigned depth) {
    auto drawn = std::make_unique<Drawn>();
    drawn->op = Operation(random.below(5));
    for (auto side : {&drawn->left, &drawn->right}) {
      if (random.below(8) < depth) {
        side->value = random.below(128) + 1;
      } else {
        side->expression = drawExpression(random, depth + 1);
      }
    }
    return drawn;
  }

  static void request(const Content& content, Expression::Builder expression) { set(*content, expression); }

  static void set(const Drawn& drawn, Expression::Builder expression) {
    expression.setOp(drawn.op);
    if (drawn.left.expression) {
      set(*drawn.left.expression, expression.getLeft().initExpression());
    } else {
      expression.getLeft().setValue(drawn.left.value);
    }
    if (drawn.right.expression) {
      set(*drawn.right.expression, expression.getRight().initExpression());
    } else {
      expression.getRight().setValue(drawn.right.value);
    }
  }

  static void respond(Expression::Reader expression, EvaluationResult::Builder result) {
    result.setValue(evaluate(expression));
  }

  static int32_t evaluate(Expression::Reader expression) {
    auto left = expression.getLeft();
    auto right = expression.getRight();
    return compute(expression.getOp(), left.isValue() ? left.getValue() : evaluate(left.getExpression()),
                   right.isValue() ? right.getValue() : evaluate(right.getExpression()));
  }

  static int64_t check(EvaluationResult::Reader result) { return result.getValue(); }
};

}  // namespace evaluation
