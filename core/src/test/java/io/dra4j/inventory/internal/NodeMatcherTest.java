package io.dra4j.inventory.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.NodeAffinity;
import io.dra4j.inventory.NodeSelectorException;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeMatcherTest {

  private static final Node NODE =
      Node.named("n").toBuilder().label("zone", "a").label("gpus", "8").build();

  private static NodeSelectorRequirement requirement(
      String key, String operator, @Nullable String values) {
    return new NodeSelectorRequirement(
        key,
        new NodeSelectorOperator(operator),
        values == null ? List.of() : Arrays.asList(values.split(";", -1)));
  }

  private static NodeSelection labels(NodeSelectorRequirement... requirements) {
    return NodeSelection.of(
        new NodeSelector(List.of(new NodeSelectorTerm(List.of(requirements), List.of()))));
  }

  @ParameterizedTest
  @CsvSource({
    "zone, In, a;b, true",
    "zone, In, b, false",
    "none, In, a, false",
    "zone, NotIn, b, true",
    "zone, NotIn, a, false",
    "none, NotIn, a, true",
    "zone, Exists, , true",
    "none, Exists, , false",
    "zone, DoesNotExist, , false",
    "none, DoesNotExist, , true",
    "gpus, Gt, 7, true",
    "gpus, Gt, 8, false",
    "gpus, Lt, 9, true",
    "gpus, Lt, 8, false",
    "zone, Gt, 1, false",
    "none, Lt, 1, false",
    "a.b/zone, NotIn, x, true",
  })
  void labelsAreCompared(String key, String operator, @Nullable String values, boolean matches)
      throws NodeSelectorException, BudgetExceededException {
    assertThat(
            NodeMatcher.matches(
                labels(requirement(key, operator, values)), NODE, Budget.unlimited()))
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "zone, Equals, a, unknown operator",
    "zone, In, , must not be empty",
    "zone, Exists, a, must be empty",
    "gpus, Gt, many, one integer",
    "gpus, Lt, 1;2, one integer",
    "gpus, Gt, 9223372036854775808, one integer",
    "/zone, In, a, no label key",
    "-zone, In, a, no label key",
    "A.b/zone, In, a, no label key",
    "zone, In, a b, no label value",
  })
  void aSelectorThatCannotBeParsedIsTheSlicesFault(
      String key, String operator, @Nullable String values, String problem) {
    assertThatThrownBy(
            () ->
                NodeMatcher.matches(
                    labels(requirement(key, operator, values)), NODE, Budget.unlimited()))
        .isInstanceOf(NodeSelectorException.class)
        .hasMessageContaining("failed to parse node selector")
        .hasMessageContaining(problem);
  }

  @Test
  void theFirstThatIsGivenCounts() throws NodeSelectorException, BudgetExceededException {
    assertThat(NodeMatcher.matches(new NodeSelection("m", true, null), NODE, Budget.unlimited()))
        .isFalse();
    assertThat(NodeMatcher.matches(new NodeSelection("", true, null), NODE, Budget.unlimited()))
        .isTrue();
    assertThat(NodeMatcher.matches(NodeSelection.NONE, NODE, Budget.unlimited())).isFalse();
    assertThat(
            NodeMatcher.matches(
                NodeSelection.of(NodeSelector.ofNode("n")), NODE, Budget.unlimited()))
        .isTrue();
    assertThat(
            NodeMatcher.matches(
                NodeSelection.of(NodeSelector.ofNode("m")), NODE, Budget.unlimited()))
        .isFalse();
  }

  @Test
  void aTermWithoutConditionsMatchesNothing()
      throws NodeSelectorException, BudgetExceededException {
    assertThat(NodeMatcher.matches(labels(), NODE, Budget.unlimited())).isFalse();
    assertThat(
            NodeMatcher.matches(
                NodeSelection.of(new NodeSelector(List.of())), NODE, Budget.unlimited()))
        .isFalse();
  }

  private static boolean field(String key, String operator, String... values)
      throws NodeSelectorException, BudgetExceededException {
    NodeSelectorTerm term =
        new NodeSelectorTerm(
            List.of(),
            List.of(
                new NodeSelectorRequirement(
                    key, new NodeSelectorOperator(operator), List.of(values))));
    return NodeMatcher.matches(
        NodeSelection.of(new NodeSelector(List.of(term))), NODE, Budget.unlimited());
  }

  @Test
  void aFieldIsTheNameOrEmpty() throws NodeSelectorException, BudgetExceededException {
    assertThat(field("metadata.name", "In", "n")).isTrue();
    assertThat(field("metadata.name", "In", "m")).isFalse();
    assertThat(field("metadata.name", "NotIn", "n")).isFalse();
    assertThat(field("metadata.name", "NotIn", "m")).isTrue();
    assertThat(field("metadata.other", "In", "n")).isFalse();
    assertThat(field("metadata.other", "In", "")).isTrue();
    assertThatThrownBy(() -> field("metadata.name", "Exists"))
        .hasMessageEndingWith(
            "nodeSelectorTerms[0].matchFields[0].operator: fields allow only In and NotIn, not"
                + " Exists");
    assertThatThrownBy(() -> field("metadata.name", "In", "n", "m"))
        .hasMessageEndingWith("matchFields[0].values: must have one element");
  }

  @Test
  void expressionsAndFieldsOfATermMustAllHoldAndOneTerm() throws Exception {
    NodeSelectorRequirement zone = requirement("zone", "In", "a");
    NodeSelectorRequirement other = requirement("zone", "In", "b");
    NodeSelectorRequirement name = requirement("metadata.name", "In", "n");
    NodeSelectorRequirement otherName = requirement("metadata.name", "In", "m");
    NodeSelectorTerm neither = new NodeSelectorTerm(List.of(zone, other), List.of());
    assertThat(matches(neither)).isFalse();
    assertThat(matches(new NodeSelectorTerm(List.of(zone), List.of(name)))).isTrue();
    assertThat(matches(new NodeSelectorTerm(List.of(zone), List.of(otherName)))).isFalse();
    assertThat(matches(new NodeSelectorTerm(List.of(other), List.of(name)))).isFalse();
    assertThat(matches(neither, new NodeSelectorTerm(List.of(), List.of()))).isFalse();
    assertThat(matches(neither, new NodeSelectorTerm(List.of(zone), List.of()))).isTrue();
    // A term that cannot be parsed spoils the others, also behind one that matches.
    NodeSelectorTerm broken =
        new NodeSelectorTerm(List.of(requirement("zone", "In", null)), List.of());
    assertThatThrownBy(() -> matches(new NodeSelectorTerm(List.of(zone), List.of()), broken))
        .hasMessageContaining("nodeSelectorTerms[1].matchExpressions[0]");
  }

  private static boolean matches(NodeSelectorTerm... terms)
      throws NodeSelectorException, BudgetExceededException {
    return NodeMatcher.matches(
        NodeSelection.of(new NodeSelector(List.of(terms))), NODE, Budget.unlimited());
  }

  @ParameterizedTest
  @CsvSource({
    "a, true",
    "A-b_c.d9, true",
    "'', false",
    "-a, false",
    "a-, false",
    "a.b/c, true",
    "a..b/c, false",
    "a-/c, false",
    "A/c, false",
    "a/, false",
    "/c, false",
    "a/b/c, false",
    "a/-c, false",
  })
  void aLabelKeyIsANameBehindAnOptionalDomain(String key, boolean valid) throws Exception {
    assertParsed(key, valid);
  }

  @Test
  void labelKeysHaveTheLimitsOfKubernetes() throws Exception {
    assertParsed("a".repeat(63), true);
    assertParsed("a".repeat(64), false);
    assertParsed("a".repeat(253) + "/a", true);
    assertParsed("a".repeat(254) + "/a", false);
  }

  private static void assertParsed(String key, boolean valid) throws Exception {
    NodeSelection selection = labels(requirement(key, "DoesNotExist", null));
    if (valid) {
      assertThat(NodeMatcher.matches(selection, NODE, Budget.unlimited())).isTrue();
    } else {
      assertThatThrownBy(() -> NodeMatcher.matches(selection, NODE, Budget.unlimited()))
          .isInstanceOf(NodeSelectorException.class)
          .hasMessageEndingWith("matchExpressions[0].key: no label key: " + key);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, Gt, 9223372036854775806, true",
    "99999999999999999999, Gt, 1, false",
    "+8, Gt, 7, true",
    "-8, Lt, 7, true",
    "8, Lt, 8, false",
    "eight, Lt, 9, false",
  })
  void labelsAreComparedAsIntegersOf64Bits(
      String label, String operator, String bound, boolean matches) throws Exception {
    Node node = Node.named("n").toBuilder().label("l", label).build();
    assertThat(
            NodeMatcher.matches(
                labels(requirement("l", operator, bound)), node, Budget.unlimited()))
        .isEqualTo(matches);
  }

  @Test
  void aSelectionOfNothingButFalseIsAboutNoNode() throws Exception {
    NodeSelection notAll = new NodeSelection(null, false, null);
    assertThat(NodeMatcher.matches(notAll, NODE, Budget.unlimited())).isFalse();
    NodeSelection emptyName = new NodeSelection("", null, NodeSelector.ofNode("n"));
    assertThat(NodeMatcher.matches(emptyName, NODE, Budget.unlimited())).isTrue();
  }

  @Test
  void anAllocationCanBeUsedWhereItsSelectorMatches() {
    assertThat(NodeAffinity.matches(NodeSelector.ofNode("n"), NODE)).isTrue();
    assertThat(NodeAffinity.matches(NodeSelector.ofNode("m"), NODE)).isFalse();
    NodeSelector broken =
        new NodeSelector(
            List.of(new NodeSelectorTerm(List.of(requirement("zone", "In", null)), List.of())));
    assertThat(NodeAffinity.matches(broken, NODE)).isFalse();
  }

  @Test
  void aNodeWithoutANameHasNoFields() throws Exception {
    NodeSelection other =
        NodeSelection.of(
            new NodeSelector(
                List.of(
                    new NodeSelectorTerm(
                        List.of(), List.of(requirement("metadata.name", "In", "other"))))));
    assertThat(NodeMatcher.matches(other, Node.named(""), Budget.unlimited())).isTrue();
    assertThat(NodeMatcher.matches(other, NODE, Budget.unlimited())).isFalse();
  }

  private static NodeSelectorTerm term(NodeSelectorRequirement... requirements) {
    return new NodeSelectorTerm(List.of(requirements), List.of());
  }

  /** {@code LazyErrorNodeSelector}: one that cannot be parsed does not spoil the others. */
  @Test
  void aTermOfRequiredAffinityThatCannotBeParsedMatchesNothing() {
    NodeSelectorTerm broken = term(requirement("zone", "Odd", "a"));
    NodeSelectorTerm inA = term(requirement("zone", "In", "a;c"));
    NodeSelectorTerm inB = term(requirement("zone", "In", "b"));
    assertThat(NodeAffinity.required(new NodeSelector(List.of(broken, inA))).test(NODE)).isTrue();
    assertThat(NodeAffinity.required(new NodeSelector(List.of(broken, inB))).test(NODE)).isFalse();
    assertThat(NodeAffinity.required(new NodeSelector(List.of(broken))).test(NODE)).isFalse();
    assertThat(NodeAffinity.required(new NodeSelector(List.of(term()))).test(NODE)).isFalse();
    assertThat(NodeAffinity.required(new NodeSelector(List.of())).test(NODE)).isFalse();
    assertThat(NodeAffinity.required(NodeSelector.ofNode("n")).test(NODE)).isTrue();
    assertThat(NodeAffinity.matches(new NodeSelector(List.of(broken, inA)), NODE)).isFalse();
  }
}
