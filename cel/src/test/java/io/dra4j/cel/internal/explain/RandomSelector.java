package io.dra4j.cel.internal.explain;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Makes up selectors with brackets of every shape, in the tree and in texts, comments and names.
 */
final class RandomSelector {

  /** What each variable is bound to, wherever it is. */
  private static final List<String> BOUND =
      List.of("3", "device.driver", "[1, 2]", "\"(\" == ')' || device.driver == 'a'");

  private static final List<String> CONDITIONS =
      List.of(
          "true",
          "false",
          "device.driver == \"a\"",
          "device.driver.startsWith('b')",
          "device.attributes[\"a\"].n > 2",
          "device.attributes['a'].?n.orValue(0) < 3",
          "has(device.attributes.a.flag)",
          "(has(device.attributes.a.flag))",
          "device.attributes.a.flag",
          "(device.attributes.a.flag)",
          "device.attributes.a.text != '(a || b) && ('",
          "(device.attributes.a.text) == (\"\\\")\")",
          "device.attributes.a.text.contains(\"😀)\")",
          "\"é😀\" in [\"(\", 'é😀', \"]\"]",
          "r\"(\\\" == R'[\\'",
          "'''a' || (''b'''.size() == 10",
          "\"\"\"a\n\" && )\"\"\" != ''",
          "b'(\\377' == br\"(\"",
          "{'k(': 1, \"}\": 2}['k('] == 1",
          "size({'a': true || false}) == 1",
          "[1, 2].exists(i, i == 2 && (i > 1 || false))",
          "[true || false, (false)].all(b, (b || true) && !(b && false))",
          "[3, 1].sortBy(i, i)[0] == 1",
          "[1].map(i, i > 0 && i < 2)[0]",
          "device.attributes.a.?n.optMap(v, (v > 2 || v == 1) && true).orValue(false)",
          "device.capacity[\"a\"].memory.isGreaterThan(quantity(\"(1\".substring(1) + 'Gi'))",
          "(1 + 2) * 3 == 9",
          "-(1) < 0",
          "1 < (2)",
          "!(device.driver == 'a' || device.driver == 'b')",
          "!!(true && false)",
          "lists.range(2) == [0, (1)]",
          "{'a//b(': 1}[?'a//b('].hasValue()",
          "dyn({'a-b': 1}).`a-b` == 1");

  private static final List<List<String>> ON_VARIABLES =
      List.of(
          List.of("v0 == 3", "(v0) > (4)", "[1, (v0)].exists(i, i == v0)"),
          List.of("v1 == device.driver", "v1.contains('(')"),
          List.of("v2.exists(v, v == 2)", "v2[(0)] == 1", "(v2 + v2).size() == 4"),
          List.of("v3", "!v3", "(v3 || false)"));

  private static final List<String> GAPS =
      List.of("", "", "", " ", " ", "  ", "\n", "\r\n  ", "\t", " // || (\n", "//😀 \")\n");

  private final Random random;

  RandomSelector(Random random) {
    this.random = random;
  }

  /** Puts an expression where its variables have their values. */
  static String bound(String expression) {
    String all = expression;
    for (int i = 0; i < BOUND.size(); i++) {
      if (expression.contains("v" + i)) {
        all = "cel.bind(v" + i + ", " + BOUND.get(i) + ", " + all + "\n)";
      }
    }
    return all;
  }

  String next() {
    return gap() + condition(1 + random.nextInt(3), List.of()) + gap();
  }

  /** Of any kind, to be put where nothing binds closer. */
  private String condition(int depth, List<Integer> bound) {
    if (depth == 0 || random.nextInt(8) == 0) {
      return simple(bound);
    }
    return switch (random.nextInt(10)) {
      case 0 -> bracketed(condition(depth - 1, bound));
      case 1 ->
          "%s ?%s%s :%s%s"
              .formatted(
                  operand("?", depth - 1, bound),
                  gap(),
                  operand("?", depth - 1, bound),
                  gap(),
                  condition(depth - 1, bound));
      case 2 -> binding(depth - 1, bound);
      case 3, 4, 5 -> join("&&", depth, bound);
      default -> join("||", depth, bound);
    };
  }

  private String join(String operator, int depth, List<Integer> bound) {
    int operands = 2 + random.nextInt(random.nextInt(20) == 0 ? 8 : 2);
    StringBuilder join = new StringBuilder(operand(operator, depth - 1, bound));
    for (int i = 1; i < operands; i++) {
      join.append(gap()).append(operator).append(gap()).append(operand(operator, depth - 1, bound));
    }
    return join.toString();
  }

  /** Has brackets where it needs them, and now and then elsewhere. */
  private String operand(String operator, int depth, List<Integer> bound) {
    if (depth <= 0) {
      return simple(bound);
    }
    return switch (random.nextInt(6)) {
      case 0 -> simple(bound);
      case 1 -> binding(depth, bound);
      case 2 ->
          operator.equals("&&") ? bracketed(join("||", depth, bound)) : join("&&", depth, bound);
      case 3 -> "!".repeat(1 + random.nextInt(4)) + bracketed(condition(depth, bound));
      default -> bracketed(condition(depth, bound));
    };
  }

  private String bracketed(String inner) {
    String once = "(" + gap() + inner + gap() + ")";
    return random.nextInt(5) == 0 ? bracketed(once) : once;
  }

  private String binding(int depth, List<Integer> bound) {
    int variable = random.nextInt(BOUND.size());
    List<Integer> inner =
        IntStream.concat(bound.stream().mapToInt(i -> i), IntStream.of(variable)).boxed().toList();
    return "cel.bind(%sv%d,%s%s%s,%s%s%s)"
        .formatted(
            gap(),
            variable,
            gap(),
            BOUND.get(variable),
            gap(),
            gap(),
            condition(depth, inner),
            gap());
  }

  private String simple(List<Integer> bound) {
    if (!bound.isEmpty() && random.nextInt(3) > 0) {
      return any(ON_VARIABLES.get(any(bound)));
    }
    return any(CONDITIONS);
  }

  private String gap() {
    return any(GAPS);
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
