package io.dra4j.placement;

import io.dra4j.model.Budget;
import io.dra4j.model.BudgetExceededException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Divides the pods of a gang among servers, all of them at once. Of two plans the better one
 * carries more on all servers together; then has fewer NICs without a partner on the same rail of
 * every server; then is nearer in the network; then uses fewer NUMA nodes and leaves more that is
 * useful; then comes first.
 *
 * <p>All of this but the rails is a sum over servers, so that for each set of rails that servers
 * could have in common the best plan is found by dynamic programming, over the few servers that are
 * best for some number of pods. Exact, unless a server has too many sets of NICs, which the plan
 * says. Remembers what it found of servers by their state; thread-safe.
 */
final class GangSolver {

  /** More ways to count the pods on a server are not looked at. */
  private static final int MAX_COUNTS = 1_024;

  /** More sets of rails are not looked at. */
  private static final int MAX_RAIL_SETS = 4_096;

  /** A bound on what is remembered, of some 10 KB each. */
  private static final int MAX_REMEMBERED = 4_096;

  private static final long NONE = Long.MIN_VALUE;

  /**
   * What the pods of a gang want: some kinds of pods.
   *
   * @param kinds each kind
   */
  record Demand(List<Kind> kinds) {
    /** Copies the list. {@inheritDoc} */
    Demand {
      kinds = List.copyOf(kinds);
    }

    /**
     * Pods that want the same.
     *
     * @param gpus how many GPUs each wants
     * @param nics how many NICs each wants
     * @param pods how many pods
     */
    record Kind(int gpus, int nics, int pods) {}
  }

  /** All numbers of pods of each kind that a server could have, numbered. */
  static final class Counts {
    private final int[][] counts;
    private final int[] gpus;
    private final int[] nics;
    private final int[] pods;

    private Counts(Demand demand, int size) {
      List<Demand.Kind> kinds = demand.kinds();
      counts = new int[size][kinds.size()];
      gpus = new int[size];
      nics = new int[size];
      pods = new int[size];
      for (int number = 0; number < size; number++) {
        int rest = number;
        for (int kind = 0; kind < kinds.size(); kind++) {
          int count = rest % (kinds.get(kind).pods() + 1);
          rest /= kinds.get(kind).pods() + 1;
          counts[number][kind] = count;
          gpus[number] += count * kinds.get(kind).gpus();
          nics[number] += count * kinds.get(kind).nics();
          pods[number] += count;
        }
      }
    }

    static @Nullable Counts of(Demand demand) {
      long size = 1;
      for (Demand.Kind kind : demand.kinds()) {
        size *= kind.pods() + 1;
        if (size > MAX_COUNTS) {
          return null;
        }
      }
      return new Counts(demand, (int) size);
    }

    int size() {
      return counts.length;
    }

    int gpus(int count) {
      return gpus[count];
    }

    int nics(int count) {
      return nics[count];
    }

    int pods(int count) {
      return pods[count];
    }

    int of(int count, int kind) {
      return counts[count][kind];
    }

    /** The kinds of which there is a pod, as bits. */
    int kinds(int count) {
      int bits = 0;
      for (int kind = 0; kind < counts[count].length; kind++) {
        bits |= counts[count][kind] > 0 ? 1 << kind : 0;
      }
      return bits;
    }

    private boolean isPart(int count, int whole) {
      for (int kind = 0; kind < counts[count].length; kind++) {
        if (counts[count][kind] > counts[whole][kind]) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * What some pods get on a server.
   *
   * @param server the place of the server among those that were asked about
   * @param pods how many pods of each kind are there
   * @param gpus the GPUs of all of them
   * @param nics the NICs of all of them
   */
  record Part(int server, List<Integer> pods, long gpus, long nics) {}

  /**
   * A plan for all pods.
   *
   * @param parts the servers in order, each once
   * @param value what the servers carry together, as {@link ServerShape#value}
   * @param lostRails how many NICs of the server with fewest of them have no partner on the same
   *     rail of every other server; 0 on one server
   * @param level the finest level of the network in one domain of which all servers are: 0 for one
   *     server, 1 for the finest one, and so on
   * @param rest what {@link GangOptions#rest} says of all servers together
   * @param exact whether it is known that no plan is better
   */
  record Plan(List<Part> parts, long value, int lostRails, int level, long rest, boolean exact) {
    /** Copies the list. {@inheritDoc} */
    Plan {
      parts = List.copyOf(parts);
    }

    boolean isBetterThan(Plan other) {
      if (value != other.value) {
        return value > other.value;
      } else if (lostRails != other.lostRails) {
        return lostRails < other.lostRails;
      } else if (level != other.level) {
        return level < other.level;
      }
      return rest > other.rest;
    }
  }

  /** What is known of one state. */
  private record Question(GangOptions.State state, Demand demand) {}

  private final ConcurrentHashMap<Question, GangOptions> remembered = new ConcurrentHashMap<>();
  private final ThreadLocal<SetSolver> solvers = ThreadLocal.withInitial(SetSolver::new);

  /** Servers in the same state, which are as good as each other. */
  private static final class Group {
    final GangOptions options;
    final List<Integer> servers = new ArrayList<>();

    Group(GangOptions options) {
      this.options = options;
    }
  }

  /**
   * Finds the best plan.
   *
   * @param servers the servers in their order; null for one that nobody may use
   * @param domains the domain of each server at each level of the network, the finest level first:
   *     equal numbers for the same domain
   * @param demand what the pods want
   * @param budget how long to look for it
   * @return empty if there are too many kinds and pods to say; a plan without parts if the pods do
   *     not fit
   */
  @Nullable Plan solve(
      List<GangOptions.@Nullable State> servers, List<int[]> domains, Demand demand, Budget budget)
      throws BudgetExceededException {
    Counts counts = Counts.of(demand);
    if (counts == null) {
      return null;
    }
    GangOptions[] options = options(servers, demand, counts, budget);
    return new Run(counts, options, domains, budget).best();
  }

  private GangOptions[] options(
      List<GangOptions.@Nullable State> servers, Demand demand, Counts counts, Budget budget)
      throws BudgetExceededException {
    GangOptions[] options = new GangOptions[servers.size()];
    SetSolver solver = solvers.get();
    for (int i = 0; i < options.length; i++) {
      budget.spend(1);
      GangOptions.State state = servers.get(i);
      if (state != null) {
        Question question = new Question(state, demand);
        GangOptions known = remembered.get(question);
        if (known == null) {
          budget.check();
          known = new GangOptions(state, counts, solver);
          if (remembered.size() >= MAX_REMEMBERED) {
            remembered.clear();
          }
          remembered.put(question, known);
        }
        options[i] = known;
      }
    }
    return options;
  }

  /** One gang. */
  private static final class Run {
    private final Counts counts;
    private final @Nullable GangOptions[] options;
    private final List<int[]> domains;
    private final Budget budget;
    private final int whole;
    private boolean exact = true;

    // The best servers for some rails, each copy of them.
    private final List<Group> chosen = new ArrayList<>();
    private final List<Integer> chosenServers = new ArrayList<>();
    private final long[] values; // by count, and whether a server has the fewest NICs
    private final long[] rests;
    private final int[] best; // by count, of one server
    private int[][] choices = new int[0][];

    Run(Counts counts, @Nullable GangOptions[] options, List<int[]> domains, Budget budget) {
      this.counts = counts;
      this.options = options;
      this.domains = domains;
      this.budget = budget;
      this.whole = counts.size() - 1;
      this.values = new long[2 * counts.size()];
      this.rests = new long[2 * counts.size()];
      this.best = new int[counts.size()];
    }

    /** Rails that all servers shall have, and the fewest NICs that one of them has. */
    private record Rails(long common, int fewest) {}

    Plan best() throws BudgetExceededException {
      List<Group> all = groups(null, 0);
      for (Group group : all) {
        exact &= group.options.isExact();
      }
      Plan most = best(all, new Rails(0, -1), counts.nics(whole), domains.size() + 1);
      if (most == null) {
        return new Plan(List.of(), 0, 0, 0, 0, exact);
      }
      Plan single = onOneServer(all, most.value());
      if (single != null) {
        return single;
      }
      int nics = counts.nics(whole);
      for (int lost = 0; lost <= nics; lost++) {
        List<Rails> feasible = new ArrayList<>();
        Plan widest = null;
        for (Rails rails : rails(all, lost)) {
          Plan plan = best(all, rails, lost, domains.size() + 1);
          if (plan != null && plan.value() == most.value()) {
            feasible.add(rails);
            widest = widest == null || plan.isBetterThan(widest) ? plan : widest;
          }
        }
        if (widest != null) {
          Plan nearer = nearer(feasible, lost, most.value());
          return nearer == null ? widest : nearer;
        }
      }
      return most; // too many sets of rails to find those of the best plan
    }

    private @Nullable Plan onOneServer(List<Group> all, long value) {
      Plan best = null;
      for (Group group : all) {
        GangOptions.Sets sets = group.options.of(whole);
        int set = sets.best(0);
        if (set >= 0 && sets.value(set) == value) {
          int server = group.servers.get(0);
          Plan plan =
              new Plan(List.of(part(server, whole, sets, set)), value, 0, 0, sets.rest(set), exact);
          boolean earlier =
              best != null && plan.rest() == best.rest() && server < best.parts().get(0).server();
          best = best == null || earlier || plan.isBetterThan(best) ? plan : best;
        }
      }
      return best;
    }

    private @Nullable Plan nearer(List<Rails> feasible, int lost, long value)
        throws BudgetExceededException {
      for (int level = 0; level < domains.size(); level++) {
        Map<Integer, Integer> members = new LinkedHashMap<>();
        for (int domain : domains.get(level)) {
          members.merge(domain, 1, Integer::sum);
        }
        Plan best = null;
        for (Map.Entry<Integer, Integer> domain : members.entrySet()) {
          if (domain.getValue() < 2) {
            continue; // one server was looked at before
          }
          List<Group> groups = groups(domains.get(level), domain.getKey());
          for (Rails rails : feasible) {
            Plan plan = best(groups, rails, lost, level + 1);
            if (plan != null && plan.value() == value) {
              best = best == null || plan.isBetterThan(best) ? plan : best;
            }
          }
        }
        if (best != null) {
          return best;
        }
      }
      return null;
    }

    /** The servers of a domain by their states; of each state no more than there are pods. */
    private List<Group> groups(int @Nullable [] ofLevel, int domain) {
      Map<GangOptions, Group> groups = new LinkedHashMap<>();
      for (int server = 0; server < options.length; server++) {
        GangOptions known = options[server];
        if (known != null && (ofLevel == null || ofLevel[server] == domain)) {
          Group group = groups.computeIfAbsent(known, Group::new);
          if (group.servers.size() < counts.pods(whole)) {
            group.servers.add(server);
          }
        }
      }
      return List.copyOf(groups.values());
    }

    /** What servers can have in common if so many NICs of the smallest one have no partner. */
    private List<Rails> rails(List<Group> all, int lost) throws BudgetExceededException {
      Set<Rails> found = new LinkedHashSet<>();
      for (Group group : all) {
        for (int count = 1; count < counts.size(); count++) {
          GangOptions.Sets sets = group.options.of(count);
          for (int set = 0; set < sets.size(); set++) {
            budget.spend(1);
            int wanted = sets.nics - lost;
            if (wanted < 0 || Long.bitCount(sets.rails(set)) < wanted) {
              continue;
            }
            subsets(sets.rails(set), 0, wanted, sets.nics, found);
            if (found.size() >= MAX_RAIL_SETS) {
              exact = false;
              return List.copyOf(found);
            }
          }
        }
      }
      return List.copyOf(found);
    }

    private static void subsets(long from, long chosen, int count, int fewest, Set<Rails> found) {
      if (count == 0) {
        found.add(new Rails(chosen, fewest));
        return;
      }
      long rest = from;
      while (Long.bitCount(rest) >= count && found.size() < MAX_RAIL_SETS) {
        long first = Long.lowestOneBit(rest);
        rest &= ~first;
        subsets(rest, chosen | first, count - 1, fewest, found);
      }
    }

    /** The best plan whose servers have these rails in common; null if there is none. */
    private @Nullable Plan best(List<Group> groups, Rails rails, int lost, int level)
        throws BudgetExceededException {
      gather(groups, rails);
      Arrays.fill(values, NONE);
      values[0] = 0;
      rests[0] = 0;
      if (choices.length < chosen.size()) {
        choices = new int[chosen.size()][values.length];
      }
      for (int i = 0; i < chosen.size(); i++) {
        add(chosen.get(i).options, rails, choices[i]);
      }
      int end = 2 * whole + (rails.fewest < 0 ? 0 : 1);
      return values[end] == NONE ? null : plan(rails, end, lost, level);
    }

    /** One more server: what is best for each count with it. */
    private void add(GangOptions server, Rails rails, int[] choice) throws BudgetExceededException {
      Arrays.fill(choice, 0);
      for (int count = 1; count < best.length; count++) {
        best[count] = best(server, count, rails);
      }
      for (int to = whole; to > 0; to--) {
        budget.spend(1);
        for (int count = 1; count <= to; count++) {
          if (best[count] < 0 || !counts.isPart(count, to)) {
            continue;
          }
          GangOptions.Sets sets = server.of(count);
          for (int flag = 0; flag < 2; flag++) {
            int from = 2 * (to - count) + flag;
            if (values[from] != NONE) {
              int end = 2 * to + (flag == 1 || sets.nics == rails.fewest ? 1 : 0);
              long value = values[from] + sets.value(best[count]);
              long rest = rests[from] + sets.rest(best[count]);
              if (values[end] == NONE
                  || value > values[end]
                  || (value == values[end] && rest > rests[end])) {
                values[end] = value;
                rests[end] = rest;
                choice[end] = 2 * count + flag + 1;
              }
            }
          }
        }
      }
    }

    /** The best set of a server for some pods; negative if there is none. */
    private static int best(GangOptions server, int count, Rails rails) {
      GangOptions.Sets sets = server.of(count);
      return sets.nics < rails.fewest ? -1 : sets.best(rails.common);
    }

    /** The servers that are among the best for some count; others cannot be in the best plan. */
    private void gather(List<Group> groups, Rails rails) throws BudgetExceededException {
      int wanted = counts.pods(whole);
      Group[] top = new Group[Math.min(wanted, groups.size())];
      long[] topValues = new long[top.length];
      long[] topRests = new long[top.length];
      Map<Integer, Group> found = new TreeMap<>();
      for (int count = 1; count < counts.size(); count++) {
        int size = 0;
        int servers = 0;
        for (Group group : groups) {
          int set = best(group.options, count, rails);
          if (set < 0) {
            continue;
          }
          long value = group.options.of(count).value(set);
          long rest = group.options.of(count).rest(set);
          int at = size;
          while (at > 0
              && (topValues[at - 1] < value
                  || (topValues[at - 1] == value && topRests[at - 1] < rest))) {
            at--;
          }
          if (servers >= wanted && at == size) {
            continue;
          }
          if (size == top.length) {
            servers -= top[--size].servers.size();
          }
          System.arraycopy(top, at, top, at + 1, size - at);
          System.arraycopy(topValues, at, topValues, at + 1, size - at);
          System.arraycopy(topRests, at, topRests, at + 1, size - at);
          size++;
          top[at] = group;
          topValues[at] = value;
          topRests[at] = rest;
          servers += group.servers.size();
          while (servers - top[size - 1].servers.size() >= wanted) {
            servers -= top[--size].servers.size();
          }
        }
        budget.spend(groups.size());
        for (int i = 0; i < size; i++) {
          Group group = top[i];
          group.servers.forEach(server -> found.put(server, group));
        }
      }
      chosen.clear();
      chosenServers.clear();
      found.forEach(
          (server, group) -> {
            chosen.add(group);
            chosenServers.add(server);
          });
    }

    private Plan plan(Rails rails, int end, int lost, int level) {
      List<Part> parts = new ArrayList<>();
      int at = end;
      for (int i = chosen.size() - 1; i >= 0 && at > 0; i--) {
        int choice = choices[i][at] - 1;
        if (choice >= 0) {
          int count = choice / 2;
          GangOptions.Sets sets = chosen.get(i).options.of(count);
          parts.add(
              0,
              part(chosenServers.get(i), count, sets, best(chosen.get(i).options, count, rails)));
          at = at - at % 2 - 2 * count + choice % 2;
        }
      }
      return new Plan(parts, values[end], lost, level, rests[end], exact);
    }

    private Part part(int server, int count, GangOptions.Sets sets, int set) {
      List<Integer> pods = new ArrayList<>();
      for (int kind = 0; kind < counts.counts[count].length; kind++) {
        pods.add(counts.of(count, kind));
      }
      return new Part(server, List.copyOf(pods), sets.gpus(set), sets.nics(set));
    }
  }
}
