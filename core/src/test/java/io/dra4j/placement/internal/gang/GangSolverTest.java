package io.dra4j.placement.internal.gang;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.Shapes;
import io.dra4j.placement.Shapes.Place;
import io.dra4j.placement.Shapes.Server;
import io.dra4j.placement.internal.gang.GangOptions.State;
import io.dra4j.placement.internal.gang.GangSolver.Demand;
import io.dra4j.placement.internal.gang.GangSolver.Part;
import io.dra4j.placement.internal.gang.GangSolver.Plan;
import io.dra4j.placement.internal.server.ServerTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Gangs, compared with looking at every plan: some of those on two small servers, or with {@code
 * -Dgangs.all=true} all of them; {@code -Dgangs=N} sets how many random ones.
 */
class GangSolverTest {

  private static final int GANGS = Integer.getInteger("gangs", 500);

  private static final long SEED = Long.getLong("gangs.seed", 0);

  private static final int STEP = Boolean.getBoolean("gangs.all") ? 1 : 17;

  private final GangSolver solver = new GangSolver();

  /** Two GPUs and two NICs: on one root, on two, or each by itself. */
  private static List<Server> twoByTwo() {
    Place left = new Place(0, 0, 0, -1);
    Place right = new Place(0, 1, 0, -1);
    Place far = new Place(1, 2, 0, -1);
    return List.of(
        Shapes.server(List.of(left, left), List.of(left, left), Shapes.RATES, -1),
        Shapes.server(List.of(left, right), List.of(left, right), Shapes.RATES, -1),
        Shapes.server(List.of(left, far), List.of(far, left), Shapes.RATES, -1));
  }

  private static State state(Server server, long freeGpus, long freeNics, int... rails) {
    return new State(
        server.shape(),
        freeGpus,
        freeNics,
        freeGpus,
        freeNics,
        new GangOptions.Rails(rails),
        -1,
        null);
  }

  /** The first bits of a number, as a mask of devices. */
  private static long mask(int number, int devices) {
    long mask = 0;
    for (int i = 0; i < devices; i++) {
      mask |= (number & 1 << i) != 0 ? ServerTree.bit(i) : 0;
    }
    return mask;
  }

  /** What a set of devices of one server is worth, without anything of the solver. */
  private record Set(long gpus, long nics, long value, long rest) {}

  /** Looks at each plan: each pod on each server, each set of devices there. */
  private static final class Enumeration {
    private final List<Server> servers;
    private final List<State> states;
    private final List<int[]> domains;
    private final int[][] pods;
    private final int[] where;
    private final Set[] sets;
    private final Map<List<Integer>, List<Set>> known = new HashMap<>();
    private @Nullable Plan best;

    Enumeration(List<Server> servers, List<State> states, List<int[]> domains, int[][] pods) {
      this.servers = servers;
      this.states = states;
      this.domains = domains;
      this.pods = pods;
      this.where = new int[pods.length];
      this.sets = new Set[states.size()];
    }

    @Nullable Plan run() {
      assign(0);
      return best;
    }

    private void assign(int pod) {
      if (pod == pods.length) {
        choose(0);
        return;
      }
      for (int server = 0; server < states.size(); server++) {
        where[pod] = server;
        assign(pod + 1);
      }
    }

    private void choose(int server) {
      if (server == states.size()) {
        look();
        return;
      }
      int gpus = 0;
      int nics = 0;
      boolean any = false;
      for (int pod = 0; pod < pods.length; pod++) {
        if (where[pod] == server) {
          gpus += pods[pod][0];
          nics += pods[pod][1];
          any = true;
        }
      }
      for (Set set : any ? sets(server, gpus, nics) : List.of(new Set(0, 0, 0, 0))) {
        sets[server] = set;
        choose(server + 1);
      }
    }

    private List<Set> sets(int server, int gpus, int nics) {
      return known.computeIfAbsent(List.of(server, gpus, nics), any -> allSets(server, gpus, nics));
    }

    private List<Set> allSets(int server, int gpus, int nics) {
      State state = states.get(server);
      List<Set> found = new ArrayList<>();
      for (int g = 0; g < 1 << 4; g++) {
        for (int n = 0; Integer.bitCount(g) == gpus && n < 1 << 4; n++) {
          long gpuSet = mask(g, 4);
          long nicSet = mask(n, 4);
          if (Integer.bitCount(n) == nics
              && (gpuSet & ~state.someGpus()) == 0
              && (nicSet & ~state.someNics()) == 0) {
            ServerTree shape = state.shape();
            long potential =
                shape.potential(state.freeGpus() & ~gpuSet, state.freeNics() & ~nicSet)
                    - shape.potential(state.freeGpus(), state.freeNics());
            long span = 0;
            for (int v = 0; v < shape.nodes - 1; v++) {
              boolean in = (shape.gpus[v] & gpuSet) != 0 || (shape.nics[v] & nicSet) != 0;
              span += shape.top[v] && in ? 1 : 0;
            }
            span +=
                Long.bitCount(shape.ownGpus[shape.nodes - 1] & gpuSet)
                    + Long.bitCount(shape.ownNics[shape.nodes - 1] & nicSet);
            found.add(
                new Set(
                    gpuSet,
                    nicSet,
                    servers.get(server).hungarian(gpuSet, nicSet),
                    potential - (span << 40)));
          }
        }
      }
      return found;
    }

    private void look() {
      long value = 0;
      for (int server = 0; server < sets.length; server++) {
        value += sets[server].value;
      }
      if (best != null && value < best.value()) {
        return;
      }
      List<Integer> used = new ArrayList<>();
      long rest = 0;
      value = 0;
      for (int server = 0; server < sets.length; server++) {
        for (int at : where) {
          if (at == server && !used.contains(server)) {
            used.add(server);
            value += sets[server].value;
            rest += sets[server].rest;
          }
        }
      }
      Plan plan = new Plan(List.of(), value, lost(used), level(used), rest, true);
      best = best == null || plan.isBetterThan(best) ? plan : best;
    }

    private int lost(List<Integer> all) {
      List<Integer> used = all.stream().filter(server -> sets[server].nics != 0).toList();
      if (used.size() < 2) {
        return 0;
      }
      int fewest = Integer.MAX_VALUE;
      int[] common = new int[32];
      java.util.Arrays.fill(common, Integer.MAX_VALUE);
      for (int server : used) {
        int[] own = new int[32];
        int nics = 0;
        for (int nic = 0; nic < states.get(server).rails().size(); nic++) {
          if ((sets[server].nics & ServerTree.bit(nic)) != 0) {
            nics++;
            int rail = states.get(server).rails().of(nic);
            if (rail >= 0) {
              own[rail]++;
            }
          }
        }
        fewest = Math.min(fewest, nics);
        for (int rail = 0; rail < common.length; rail++) {
          common[rail] = Math.min(common[rail], own[rail]);
        }
      }
      return fewest - java.util.Arrays.stream(common).sum();
    }

    private int level(List<Integer> used) {
      if (used.size() == 1) {
        return 0;
      }
      for (int level = 0; level < domains.size(); level++) {
        int[] domain = domains.get(level);
        if (used.stream().allMatch(server -> domain[server] == domain[used.get(0)])) {
          return level + 1;
        }
      }
      return domains.size() + 1;
    }
  }

  private static Demand demand(int[][] pods) {
    List<Demand.Kind> kinds = new ArrayList<>();
    for (int[] pod : pods) {
      Demand.Kind same = null;
      for (Demand.Kind kind : kinds) {
        same = kind.gpus() == pod[0] && kind.nics() == pod[1] ? kind : same;
      }
      if (same != null) {
        kinds.set(kinds.indexOf(same), new Demand.Kind(same.gpus(), same.nics(), same.pods() + 1));
      } else {
        kinds.add(new Demand.Kind(pod[0], pod[1], 1));
      }
    }
    return new Demand(kinds);
  }

  private void compare(
      List<Server> servers, List<State> states, List<int[]> domains, int[][] pods, String what)
      throws BudgetExceededException {
    Plan plan =
        Objects.requireNonNull(
            solver.solve(new ArrayList<>(states), domains, demand(pods), Budget.unlimited()));
    Plan best = new Enumeration(servers, states, domains, pods).run();
    if (best == null) {
      assertThat(plan.parts()).as(what).isEmpty();
      return;
    }
    assertThat(plan.parts()).as(what).isNotEmpty();
    assertThat(List.of(plan.value(), plan.lostRails(), plan.level(), plan.rest()))
        .as(what)
        .isEqualTo(List.of(best.value(), best.lostRails(), best.level(), best.rest()));
    assertThat(plan.exact()).isTrue();
    checkParts(states, pods, plan, what);
  }

  /** The parts are of free devices, and as many as the pods want. */
  private static void checkParts(List<State> states, int[][] pods, Plan plan, String what) {
    int gpus = 0;
    int nics = 0;
    int placed = 0;
    long value = 0;
    for (Part part : plan.parts()) {
      State state = states.get(part.server());
      assertThat(part.gpus() & ~state.someGpus()).as(what).isZero();
      assertThat(part.nics() & ~state.someNics()).as(what).isZero();
      gpus += Long.bitCount(part.gpus());
      nics += Long.bitCount(part.nics());
      placed += part.pods().stream().mapToInt(Integer::intValue).sum();
      value += state.shape().value(part.gpus(), part.nics(), state.freeNics());
    }
    int wantedGpus = 0;
    int wantedNics = 0;
    for (int[] pod : pods) {
      wantedGpus += pod[0];
      wantedNics += pod[1];
    }
    assertThat(List.of(gpus, nics, placed, value))
        .as(what)
        .isEqualTo(List.of(wantedGpus, wantedNics, pods.length, plan.value()));
  }

  @Test
  void isTheBestOfAllPlansForGangsOfTwoOnTwoSmallServers() throws BudgetExceededException {
    List<int[]> wishes = new ArrayList<>();
    for (int gpus = 0; gpus <= 2; gpus++) {
      for (int nics = gpus == 0 ? 1 : 0; nics <= 2; nics++) {
        wishes.add(new int[] {gpus, nics});
      }
    }
    int gangs = 0;
    for (Server one : twoByTwo()) {
      for (Server other : twoByTwo()) {
        for (int free = 0; free < 1 << 8; free += STEP) {
          List<State> states =
              List.of(
                  state(one, mask(free, 2), mask(free >> 2, 2), 0, 1),
                  state(other, mask(free >> 4, 2), mask(free >> 6, 2), 0, 1));
          for (int i = 0; i < wishes.size(); i++) {
            for (int j = i; j < wishes.size(); j++) {
              int[][] pods = {wishes.get(i), wishes.get(j)};
              compare(
                  List.of(one, other),
                  states,
                  List.of(),
                  pods,
                  "free %x, %d+%d and %d+%d"
                      .formatted(free, pods[0][0], pods[0][1], pods[1][0], pods[1][1]));
              gangs++;
            }
          }
        }
      }
    }
    assertThat(gangs).isEqualTo(9 * ((255 / STEP) + 1) * 36);
    System.out.printf(
        "gangs: %d of two pods on two servers as good as the best of every plan%n", gangs);
  }

  @Test
  void isTheBestOfAllPlansForRandomGangs() throws BudgetExceededException {
    for (long seed = SEED; seed < SEED + GANGS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Server> servers = new ArrayList<>();
      List<State> states = new ArrayList<>();
      int count = 1 + random.nextInt(3);
      for (int i = 0; i < count; i++) {
        Server server = i > 0 && random.nextBoolean() ? servers.get(0) : server(random);
        servers.add(server);
        int[] rails = new int[4];
        for (int nic = 0; nic < 4; nic++) {
          int rail = random.nextInt(4) == 0 ? random.nextInt(-1, 4) : nic;
          rails[nic] = rail < 0 ? -1 : 4 * rail; // four NICs may share it
        }
        long freeGpus = mask(mostOfFour(random), 4);
        long freeNics = mask(mostOfFour(random), 4);
        states.add(
            new State(
                server.shape(),
                freeGpus,
                freeNics,
                freeGpus & (random.nextInt(4) == 0 ? mask(random.nextInt(16), 4) : -1),
                freeNics & (random.nextInt(4) == 0 ? mask(random.nextInt(16), 4) : -1),
                new GangOptions.Rails(rails),
                -1,
                null));
      }
      int[] racks = new int[count];
      int[] zones = new int[count];
      for (int i = 0; i < count; i++) {
        racks[i] = random.nextInt(3);
        zones[i] = racks[i] / 2;
      }
      int[][] pods = new int[1 + random.nextInt(3)][];
      for (int i = 0; i < pods.length; i++) {
        pods[i] =
            i > 0 && random.nextInt(3) > 0
                ? pods[0]
                : new int[] {1 + random.nextInt(3), random.nextInt(3)};
      }
      compare(servers, states, List.of(racks, zones), pods, "seed " + seed);
    }
    System.out.printf(
        "gangs: %d random ones as good as the best of every plan, seed %d%n", GANGS, SEED);
  }

  private static Server server(SplittableRandom random) {
    List<Place> gpus = new ArrayList<>();
    List<Place> nics = new ArrayList<>();
    int roots = 1 + random.nextInt(4);
    for (int i = 0; i < 4; i++) {
      gpus.add(place(i * roots / 4));
      nics.add(place((random.nextInt(5) == 0 ? random.nextInt(4) : i) * roots / 4));
    }
    return Shapes.server(gpus, nics, Shapes.RATES, -1);
  }

  private static Place place(int root) {
    return new Place(root / 2, root, 0, -1);
  }

  @Test
  void givesUpOnTooManyKindsOfPods() throws BudgetExceededException {
    Server server = twoByTwo().get(0);
    List<Demand.Kind> kinds = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      kinds.add(new Demand.Kind(i, 1, 1));
    }

    assertThat(
            solver.solve(
                List.of(state(server, mask(3, 2), mask(3, 2), 0, 1)),
                List.of(),
                new Demand(kinds),
                Budget.unlimited()))
        .isNull();
  }

  /** Four bits, each set three times of four. */
  private static int mostOfFour(SplittableRandom random) {
    int some = random.nextInt(16);
    return some | random.nextInt(16);
  }
}
