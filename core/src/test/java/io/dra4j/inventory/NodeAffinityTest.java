package io.dra4j.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.Node;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What is worked out once for many nodes says what asking each node says. */
class NodeAffinityTest {

  private static final int CASES = 5_000;
  private static final List<String> KEYS = List.of("a", "b", "not a key!");
  private static final List<String> VALUES = List.of("x", "y", "3", "7");
  private static final List<NodeSelectorOperator> OPERATORS =
      List.of(
          NodeSelectorOperator.IN,
          NodeSelectorOperator.NOT_IN,
          NodeSelectorOperator.EXISTS,
          NodeSelectorOperator.DOES_NOT_EXIST,
          NodeSelectorOperator.GT,
          NodeSelectorOperator.LT);

  private static NodeSelectorRequirement requirement(
      SplittableRandom random, String key, List<String> from) {
    NodeSelectorOperator operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    boolean without =
        operator.equals(NodeSelectorOperator.EXISTS)
            || operator.equals(NodeSelectorOperator.DOES_NOT_EXIST);
    List<String> values = new ArrayList<>();
    for (int i = without ? 0 : random.nextInt(1, 3); i > 0; i--) {
      values.add(from.get(random.nextInt(from.size())));
    }
    return new NodeSelectorRequirement(key, operator, values);
  }

  private static NodeSelectorTerm term(SplittableRandom random) {
    List<NodeSelectorRequirement> labels = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      String key = KEYS.get(random.nextInt(10) == 0 ? 2 : random.nextInt(2));
      labels.add(requirement(random, key, VALUES));
    }
    List<NodeSelectorRequirement> fields = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      fields.add(requirement(random, "metadata.name", List.of("n", "m")));
    }
    return new NodeSelectorTerm(labels, fields);
  }

  private static Node node(SplittableRandom random) {
    Node.Builder node = Node.named(random.nextBoolean() ? "n" : "m").toBuilder();
    for (String key : List.of("a", "b")) {
      if (random.nextInt(3) > 0) {
        node.label(key, VALUES.get(random.nextInt(VALUES.size())));
      }
    }
    return node.build();
  }

  /** A selector of one term that cannot be parsed matches no node, and others do not count here. */
  private static boolean anyMatches(List<NodeSelectorTerm> terms, Node node) {
    return terms.stream()
        .anyMatch(term -> NodeAffinity.matches(new NodeSelector(List.of(term)), node));
  }

  @Test
  void aNodeIsRequiredThatAnyTermMatches() {
    SplittableRandom random = new SplittableRandom(1);
    int matched = 0;
    for (int i = 0; i < CASES; i++) {
      List<NodeSelectorTerm> terms = new ArrayList<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        terms.add(term(random));
      }
      Predicate<Node> required = NodeAffinity.required(new NodeSelector(terms));
      for (int n = 0; n < 4; n++) {
        Node node = node(random);
        boolean matches = anyMatches(terms, node);
        assertThat(required.test(node)).as("%s on %s", terms, node).isEqualTo(matches);
        matched += matches ? 1 : 0;
      }
    }
    assertThat(matched).isBetween(CASES / 2, 4 * CASES - CASES / 2);
  }
}
