package io.dra4j.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
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
}
