package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.BudgetExceededException;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A search that passes over what need not be tried finds what one that tries everything finds,
 * device for device, or the same fault. {@code -Dpruned.clusters=N} sets on how many random
 * clusters, {@code -Dpruned.seed=S} on which.
 */
class PrunedSearchTest {

  private static final int CLUSTERS = Integer.getInteger("pruned.clusters", 10_000);
  private static final long SEED = Long.getLong("pruned.seed", 1);
  private static final int MAX_STEPS = 20_000;
  private static final long ALWAYS = Long.MAX_VALUE;

  private record Found(String kind, String what, long steps) {}

  private static Found search(RandomCluster random, long patience) throws Exception {
    SearchContext context =
        random.cluster.context(random.cluster.inventory(), random.features, random.compatibility);
    Position position = new Position("in a test");
    Search search = null;
    try {
      SearchPlan plan = new SearchPlan(context, random.claims, position);
      search = new Search(plan, position, patience).atMost(MAX_STEPS);
      if (!search.run()) {
        return new Found("nothing", "", search.steps());
      }
      return new Found(
          "devices",
          search.results().stream().map(PrunedSearchTest::textOf).collect(Collectors.joining("|")),
          search.steps());
    } catch (RejectedException e) {
      return new Found("fault", e.error(), search == null ? 0 : search.steps());
    } catch (BudgetExceededException e) {
      return new Found("endless", "", MAX_STEPS);
    }
  }

  private static String textOf(List<Search.PlacedDevice> devices) {
    return devices.stream()
        .map(placed -> placed.target().resultName() + ":" + placed.candidate().device().name())
        .collect(Collectors.joining(" "));
  }

  @Test
  void whatIsFoundIsTheSame() throws Exception {
    TreeMap<String, Integer> kinds = new TreeMap<>();
    long all = 0;
    long pruned = 0;
    for (int i = 0; i < CLUSTERS; i++) {
      long seed = SEED * 1_000_000_007L + i;
      Found expected = search(new RandomCluster(seed), ALWAYS);
      Found atOnce = search(new RandomCluster(seed), 0);
      Found later = search(new RandomCluster(seed), 6);
      kinds.merge(expected.kind, 1, Integer::sum);
      if (expected.kind.equals("endless")) {
        continue;
      }
      all += expected.steps;
      pruned += atOnce.steps;
      assertThat(atOnce.what).as("seed %d", seed).isEqualTo(expected.what);
      assertThat(atOnce.kind).as("seed %d", seed).isEqualTo(expected.kind);
      assertThat(later.what).as("seed %d", seed).isEqualTo(expected.what);
      assertThat(later.kind).as("seed %d", seed).isEqualTo(expected.kind);
    }
    System.out.printf(
        "pruned search: %d clusters agree, seed %d, %s, %d steps instead of %d%n",
        CLUSTERS, SEED, kinds, pruned, all);
  }
}
