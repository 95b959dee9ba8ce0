package io.dra4j.allocation.explanation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceClaim;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An explanation that throws never takes the answer with it. */
class BrokenExplanationTest {

  private static final String BUG =
      "the explanation has a bug and is not complete: java.lang.IllegalStateException at"
          + " io.dra4j.allocation.explanation.BrokenExplanationTest";
  private static final String REPORT = "please report it at https://";

  private final Cluster cluster =
      Cluster.withDevices(
          Device.named("d0").attribute("fast", false).build(),
          Device.named("d1").attribute("fast", true).build());

  private static ResourceClaim two(String selector) {
    return ResourceClaim.named("c")
        .request("r", r -> r.deviceClass("gpu").count(2).selector(selector))
        .build();
  }

  /** A language whose selectors cannot be explained, and from some time on not asked either. */
  private final class Unexplained implements SelectorCompiler {

    private final Throwable thrown;
    private boolean isOver;

    Unexplained(Throwable thrown) {
      this.thrown = thrown;
    }

    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      if (isOver) {
        throw new IllegalStateException("not in the mood");
      }
      CompiledSelector words = cluster.words.compileSelector(expression);
      return new CompiledSelector() {
        @Override
        public boolean matches(String driver, Device device) throws SelectorException {
          return words.matches(driver, device);
        }

        @Override
        public SelectorExplanation explain(String driver, Device device, Budget budget)
            throws BudgetExceededException {
          if (thrown instanceof BudgetExceededException over) {
            throw over;
          } else if (thrown instanceof Error error) {
            throw error;
          }
          throw new IllegalStateException("no explanation");
        }
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      return cluster.words.compileAttribute(expression);
    }
  }

  private static final Advisor BROKEN =
      problem -> {
        throw new IllegalStateException("no idea");
      };

  private static Explanation explanation(AllocationOutcome outcome) {
    return ((Unallocatable) outcome).explanation();
  }

  @Test
  void aSelectorThatCannotBeExplainedSaysSoBesideAllOtherReasons() {
    Unexplained words = new Unexplained(new IllegalStateException());
    Allocator allocator = Allocator.builder().selectors(words).build();

    Explanation said =
        explanation(allocator.allocate(cluster.inventory(), "n", List.of(two("fast"))));

    assertThat(said.lines())
        .singleElement()
        .asString()
        .startsWith("claim default/c, request r: needs 2 devices of class gpu, but of the node's 2")
        .contains("only 1 can be allocated", BUG, REPORT);
    assertThat(
            allocator
                .query(cluster.inventory(), List.of(two("fast")))
                .explain(Budget.unlimited())
                .summary())
        .contains("only 1 can be allocated", BUG);
  }

  @Test
  void aSelectorThatFailsAndCannotBeExplainedIsRejectedForItsFailure() {
    Allocator allocator =
        Allocator.builder().selectors(new Unexplained(new IllegalStateException())).build();

    assertThat(allocator.allocate(cluster.inventory(), "n", List.of(two("missing"))))
        .isInstanceOf(Rejected.class);
    assertThat(
            allocator
                .explain(cluster.inventory(), "n", List.of(two("missing")))
                .orElseThrow()
                .lines())
        .singleElement()
        .asString()
        .contains("no such key: missing", BUG, REPORT);
  }

  @Test
  void whatFailsWhileReasonsAreLookedForIsTheLastReason() {
    Unexplained words = new Unexplained(new IllegalStateException());
    DeviceInventory inventory = cluster.inventory();
    Explanation said =
        explanation(
            Allocator.builder()
                .selectors(words)
                .build()
                .allocate(inventory, "n", List.of(two("fast"))));
    words.isOver = true;

    assertThat(said.lines()).singleElement().asString().contains(BUG, REPORT);
    assertThat(said.findConflict(Budget.unlimited()).gap().orElse("")).contains(BUG, REPORT);
    assertThat(said.findConflict(Budget.unlimited()).found()).isEmpty();
  }

  @Test
  void anAdvisorThatThrowsCostsOnlyItsOwnSuggestions() {
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("gpu").count(3)).build();
    Allocator.Builder allocator = Allocator.builder().selectors(cluster.words);
    List<String> without = texts(allocator.build(), claim).found();

    PartialResult<String> found = texts(allocator.addAdvisor(BROKEN).build(), claim);

    assertThat(found.found()).isEqualTo(without).isNotEmpty();
    assertThat(found.gap().orElse("")).contains(BUG, REPORT);
  }

  private PartialResult<String> texts(Allocator allocator, ResourceClaim claim) {
    PartialResult<Suggestion> found =
        explanation(allocator.allocate(cluster.inventory(), "n", List.of(claim)))
            .findSuggestions(Budget.unlimited());
    return new PartialResult<>(found.found().stream().map(Suggestion::text).toList(), found.gap());
  }

  @Test
  void theEndOfTheTimeIsNoBug() {
    Unexplained words = new Unexplained(new BudgetExceededException("no answer within 1 ms"));
    Explanation said =
        explanation(
            Allocator.builder()
                .selectors(words)
                .build()
                .allocate(cluster.inventory(), "n", List.of(two("fast"))));

    assertThat(said.lines())
        .last()
        .asString()
        .contains("more reasons could not be found: no answer within 1 ms")
        .doesNotContain("bug");
  }

  @Test
  void wantOfMemoryIsNoBug() {
    Unexplained words = new Unexplained(new OutOfMemoryError("heap"));
    Explanation said =
        explanation(
            Allocator.builder()
                .selectors(words)
                .build()
                .allocate(cluster.inventory(), "n", List.of(two("fast"))));

    assertThatThrownBy(said::lines).isInstanceOf(OutOfMemoryError.class);
  }
}
