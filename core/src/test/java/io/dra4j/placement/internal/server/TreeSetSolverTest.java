package io.dra4j.placement.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.Shapes;
import io.dra4j.placement.Shapes.Server;
import io.dra4j.topology.PathType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TreeSetSolverTest {

  private static final int STATES = 100_000;

  private final TreeSetSolver solver = new TreeSetSolver();

  @Test
  void aSolverLooksAtItsBudget() throws Exception {
    List<Shapes.Place> places = new ArrayList<>();
    for (int i = 0; i < ServerTree.MAX_DEVICES; i++) {
      places.add(new Shapes.Place(i / 16, i / 16, 0, -1));
    }
    ServerTree shape = Shapes.server(places, places, Shapes.RATES, 22_000).shape();
    TreeSetSolver limited = new TreeSetSolver();

    limited.limit(Budget.of(Duration.ZERO));
    assertThat(
            limited.solve(
                shape, Objective.BEST, -1, -1, shape.allGpus, shape.allNics, 40, 40, null))
        .isFalse();
    assertThatThrownBy(limited::check).isInstanceOf(BudgetExceededException.class);

    limited.limit(Budget.unlimited());
    assertThat(
            limited.solve(
                shape, Objective.BEST, -1, -1, shape.allGpus, shape.allNics, 40, 40, null))
        .isTrue();
    limited.check();
    assertThat(shape.meetingInRoot(limited.gpus(), limited.nics())).isZero();
  }

  private static Server server(String name) {
    return switch (name) {
      case "eight pairs" -> Shapes.eightPairs();
      case "four by two" -> Shapes.fourByTwo();
      case "azure" -> Shapes.azure();
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Looks at each set, with nothing of the solver but the tree's own sums. */
  private static final class Enumeration {
    private final ServerTree shape;
    private final Objective objective;
    private final long freeGpus;
    private final long freeNics;
    private final TreeSetSolver.@Nullable Bundles bundles;
    private boolean found;
    private long one;
    private long two;
    private long gpus;
    private long nics;

    Enumeration(
        ServerTree shape,
        Objective objective,
        long freeGpus,
        long freeNics,
        TreeSetSolver.@Nullable Bundles bundles) {
      this.shape = shape;
      this.objective = objective;
      this.freeGpus = freeGpus;
      this.freeNics = freeNics;
      this.bundles = bundles;
    }

    void run(long someGpus, long someNics, int gpuCount, int nicCount) {
      choose(someGpus, 0, gpuCount, g -> choose(someNics, 0, nicCount, n -> look(g, n)));
    }

    private interface Taker {
      void take(long set);
    }

    private static void choose(long from, long chosen, int count, Taker taker) {
      if (count == 0) {
        taker.take(chosen);
        return;
      }
      long rest = from;
      while (Long.bitCount(rest) >= count) {
        long first = Long.highestOneBit(rest);
        rest &= ~first;
        choose(rest, chosen | first, count - 1, taker);
      }
    }

    private void look(long someGpus, long someNics) {
      if (bundles != null && !keepsTogether(bundles, someGpus, someNics)) {
        return;
      }
      long value = shape.value(someGpus, someNics, freeNics);
      long potential = shape.potential(freeGpus & ~someGpus, freeNics & ~someNics);
      long span = 0;
      long touched = 0;
      int root = shape.nodes - 1;
      for (int v = 0; v < root; v++) {
        boolean any = (someGpus & shape.gpus[v]) != 0 || (someNics & shape.nics[v]) != 0;
        span += shape.top[v] && any ? 1 : 0;
        touched += shape.cell[v] && any ? 1 : 0;
      }
      span +=
          Long.bitCount(someGpus & shape.ownGpus[root])
              + Long.bitCount(someNics & shape.ownNics[root]);
      long first = objective == Objective.PACK ? (potential << 8) - span : value;
      long second =
          switch (objective) {
            case BEST -> potential - (span << 40);
            case PACK -> value;
            case SPREAD -> ((touched + span) << 40) + potential;
          };
      boolean better =
          !found
              || first > one
              || (first == one && second > two)
              || (first == one && second == two && Long.compareUnsigned(someGpus, gpus) > 0)
              || (first == one
                  && second == two
                  && someGpus == gpus
                  && Long.compareUnsigned(someNics, nics) > 0);
      if (better) {
        found = true;
        one = first;
        two = second;
        gpus = someGpus;
        nics = someNics;
      }
    }

    private boolean keepsTogether(TreeSetSolver.Bundles bundles, long someGpus, long someNics) {
      long grouped = 0;
      for (int v = 0; v < shape.nodes; v++) {
        if (bundles.isGroup(shape, v)) {
          int x = Long.bitCount(someGpus & shape.gpus[v]);
          int y = Long.bitCount(someNics & shape.nics[v]);
          if (!bundles.fits(x, y)) {
            return false;
          }
          grouped += x + y;
        }
      }
      return grouped == Long.bitCount(someGpus) + Long.bitCount(someNics);
    }
  }

  private void compare(
      ServerTree shape, Objective objective, SplittableRandom random, boolean bundled) {
    long freeGpus = random.nextLong() & shape.allGpus;
    long freeNics = random.nextLong() & shape.allNics;
    long someGpus = freeGpus & (random.nextInt(4) == 0 ? random.nextLong() : -1);
    long someNics = freeNics & (random.nextInt(4) == 0 ? random.nextLong() : -1);
    int gpus = random.nextInt(Long.bitCount(shape.allGpus) / 2 + 2);
    int nics = random.nextInt(3) == 0 ? random.nextInt(5) : gpus;
    TreeSetSolver.@Nullable Bundles bundles = null;
    if (bundled) {
      PathType[] types = {PathType.SWITCH, PathType.HOST_BRIDGE, PathType.NUMA_NODE};
      int perNic = 1 + random.nextInt(2);
      bundles = new TreeSetSolver.Bundles(types[random.nextInt(3)], perNic, 1);
      nics = Math.min(nics, 3);
      gpus = nics * perNic;
    }
    Enumeration all = new Enumeration(shape, objective, freeGpus, freeNics, bundles);
    all.run(someGpus, someNics, gpus, nics);

    boolean found =
        solver.solve(shape, objective, freeGpus, freeNics, someGpus, someNics, gpus, nics, bundles);

    if (found != all.found || (found && (solver.gpus() != all.gpus || solver.nics() != all.nics))) {
      assertThat(
              "%s %x %x of %x %x"
                  .formatted(found, solver.gpus(), solver.nics(), someGpus, someNics))
          .as("%s of %d+%d, %s", objective, gpus, nics, bundles)
          .isEqualTo("%s %x %x of %x %x", all.found, all.gpus, all.nics, someGpus, someNics);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"eight pairs", "four by two", "azure"})
  void findsWhatEnumerationFinds(String name) {
    ServerTree shape = server(name).shape();
    SplittableRandom random = new SplittableRandom(name.hashCode());
    for (int i = 0; i < STATES; i++) {
      compare(shape, Objective.BEST, random, false);
    }
  }

  @ParameterizedTest
  @EnumSource(Objective.class)
  void findsWhatEnumerationFindsOnAnyServer(Objective objective) {
    SplittableRandom random = new SplittableRandom(objective.name().hashCode());
    for (int i = 0; i < 400; i++) {
      ServerTree shape = Shapes.random(random, 7).shape();
      for (int state = 0; state < 50; state++) {
        compare(shape, objective, random, false);
      }
    }
  }

  @Test
  void keepsBundlesTogetherAsEnumerationDoes() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 400; i++) {
      ServerTree shape = Shapes.random(random, 7).shape();
      for (int state = 0; state < 50; state++) {
        compare(shape, Objective.BEST, random, true);
      }
    }
  }

  @Test
  void theClosedFormIsTheHeaviestMatching() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 400; i++) {
      Server server = Shapes.random(random, 8);
      if (server.shape().rootLimit >= 0) {
        continue;
      }
      for (int state = 0; state < 100; state++) {
        long gpus = random.nextLong() & server.shape().allGpus;
        long nics = random.nextLong() & server.shape().allNics;

        assertThat(server.shape().value(gpus, nics, nics)).isEqualTo(server.hungarian(gpus, nics));
      }
    }
  }

  @Test
  void oneMoreFreeDeviceNeverMakesTheBestWorse() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 300; i++) {
      ServerTree shape = Shapes.random(random, 8).shape();
      long gpus = random.nextLong() & shape.allGpus;
      long nics = random.nextLong() & shape.allNics;
      int count = 1 + random.nextInt(3);
      if (!solver.solve(shape, Objective.BEST, gpus, nics, gpus, nics, count, count, null)) {
        continue;
      }
      long before = shape.value(solver.gpus(), solver.nics(), nics);
      for (int device = 0; device < 8; device++) {
        long moreGpus = gpus | (ServerTree.bit(device) & shape.allGpus);
        long moreNics = nics | (ServerTree.bit(device) & shape.allNics);
        assertThat(
                solver.solve(
                    shape,
                    Objective.BEST,
                    moreGpus,
                    moreNics,
                    moreGpus,
                    moreNics,
                    count,
                    count,
                    null))
            .isTrue();
        assertThat(shape.value(solver.gpus(), solver.nics(), moreNics))
            .isGreaterThanOrEqualTo(before);
      }
    }
  }

  @Test
  void theOrderOfDevicesDoesNotChangeTheBestValue() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 300; i++) {
      List<Shapes.Place> gpus = new ArrayList<>();
      List<Shapes.Place> nics = new ArrayList<>();
      for (int device = 0; device < 6; device++) {
        gpus.add(place(random.nextInt(4), random.nextInt(2)));
        nics.add(place(random.nextInt(4), random.nextInt(2)));
      }
      int count = 1 + random.nextInt(4);
      long before = best(gpus, nics, count);
      Collections.shuffle(gpus, new Random(i));
      Collections.shuffle(nics, new Random(i + 1));

      assertThat(best(gpus, nics, count)).isEqualTo(before);
    }
  }

  private static Shapes.Place place(int root, int bridge) {
    return new Shapes.Place(root / 2, root, bridge, -1);
  }

  private long best(List<Shapes.Place> gpus, List<Shapes.Place> nics, int count) {
    ServerTree shape = Shapes.server(gpus, nics, Shapes.RATES, -1).shape();
    assertThat(
            solver.solve(
                shape,
                Objective.BEST,
                shape.allGpus,
                shape.allNics,
                shape.allGpus,
                shape.allNics,
                count,
                count,
                null))
        .isTrue();
    return shape.value(solver.gpus(), solver.nics(), shape.allNics);
  }

  @Test
  void theBoundIsNeverBelowTheBest() {
    SplittableRandom random = new SplittableRandom(13);
    for (int i = 0; i < 2_000; i++) {
      ServerTree shape = Shapes.random(random, 8).shape();
      long gpus = random.nextLong() & shape.allGpus;
      long nics = random.nextLong() & shape.allNics;
      int count = 1 + random.nextInt(4);
      if (solver.solve(shape, Objective.BEST, gpus, nics, gpus, nics, count, count, null)) {
        assertThat(shape.bound(gpus, nics, count))
            .isGreaterThanOrEqualTo(shape.value(solver.gpus(), solver.nics(), nics));
      }
    }
  }

  @Test
  void aSetThatIsNotThereIsNotFound() {
    ServerTree shape = Shapes.eightPairs().shape();

    assertThat(
            solver.solve(
                shape,
                Objective.BEST,
                shape.allGpus,
                shape.allNics,
                shape.allGpus,
                shape.allNics,
                9,
                1,
                null))
        .isFalse();
  }
}
