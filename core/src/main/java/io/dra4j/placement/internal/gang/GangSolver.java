package io.dra4j.placement.internal.gang;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.server.ServerTree;
import io.dra4j.placement.internal.server.TreeSetSolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Divides the pods of a gang among servers, all of them at once. Plans are compared, in this order,
 * by: more bandwidth on all servers together; fewer NICs without a partner on the same rail of
 * every server with NICs; a nearer place in the network; fewer NUMA nodes and more useful remaining
 * devices. Among equal plans the first one counts, which is always the same one.
 *
 * <p>All of these values except the rails are sums over servers. For each set of rails that servers
 * could have in common, dynamic programming finds the best plan over the few servers that are best
 * for some number of pods. The plan with the most bandwidth without any rails determines the
 * bandwidth of each server: the search then examines only sets with this bandwidth. It skips
 * domains of the network and rails whose pods could not leave more than the best plan so far. The
 * plan is exact, unless a server has too many sets of NICs, in which case the plan states it.
 * Caches its results for servers by their state, and the last answer; thread-safe.
 */
public final class GangSolver {

  /** The most ways to count the pods on a server. */
  private static final int MAX_COUNTS = 1_024;

  /** The most sets of rails that are examined. */
  private static final int MAX_RAIL_SETS = 4_096;

  /** The most cached sets: with about 40 bytes for each, 20 MB. */
  private static final int MAX_REMEMBERED = 500_000;

  private static final long NONE = Long.MIN_VALUE;

  /**
   * The demand of the pods of a gang: some kinds of pods.
   *
   * @param kinds each kind
   */
  public record Demand(List<Kind> kinds) {
    /** Copies the list. {@inheritDoc} */
    public Demand {
      kinds = List.copyOf(kinds);
    }

    /**
     * Pods with equal demand.
     *
     * @param gpus the number of GPUs of each pod
     * @param nics the number of NICs of each pod
     * @param pods the number of pods
     */
    public record Kind(int gpus, int nics, int pods) {}
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

    /** The kinds with at least one pod, as bits. */
    int kinds(int count) {
      int bits = 0;
      for (int kind = 0; kind < counts[count].length; kind++) {
        bits |= counts[count][kind] > 0 ? 1 << kind : 0;
      }
      return bits;
    }

    private boolean isPart(int count, int whole) {
      if (counts[whole].length == 1) {
        return count <= whole;
      }
      for (int kind = 0; kind < counts[count].length; kind++) {
        if (counts[count][kind] > counts[whole][kind]) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * The devices that some pods get on a server.
   *
   * @param server the position of the server in the given list
   * @param pods the number of pods of each kind on the server
   * @param gpus the GPUs of all of them
   * @param nics the NICs of all of them
   */
  public record Part(int server, List<Integer> pods, long gpus, long nics) {}

  /**
   * A plan for all pods.
   *
   * @param parts the servers in order, each once
   * @param value the total bandwidth of the servers, as {@link ServerTree#value}
   * @param lostRails on the server with the fewest NICs, the number of NICs without a partner on
   *     the same rail of every other server; 0 on one server
   * @param level the finest level of the network that has all servers in one domain: 0 for one
   *     server, 1 for the finest level, and so on
   * @param rest the sum of {@link GangOptions#rest} of all servers
   * @param exact whether it is known that no plan is better
   */
  public record Plan(
      List<Part> parts, long value, int lostRails, int level, long rest, boolean exact) {
    /** Copies the list. {@inheritDoc} */
    public Plan {
      parts = List.copyOf(parts);
    }

    public boolean isBetterThan(Plan other) {
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

  /** The cached results for servers, for one demand. */
  private static final class Memory {
    final Counts counts;
    final ConcurrentHashMap<GangOptions.State, GangOptions> options = new ConcurrentHashMap<>();

    Memory(Counts counts) {
      this.counts = counts;
    }
  }

  /** The last question and its answer. */
  private record Answer(
      List<GangOptions.@Nullable State> servers, List<int[]> domains, Demand demand, Plan plan) {

    boolean isOf(
        List<GangOptions.@Nullable State> others, List<int[]> otherDomains, Demand otherDemand) {
      return demand.equals(otherDemand)
          && Arrays.deepEquals(domains.toArray(), otherDomains.toArray())
          && servers.equals(others);
    }
  }

  private final ConcurrentHashMap<Demand, Memory> remembered = new ConcurrentHashMap<>();
  private final AtomicInteger size = new AtomicInteger();
  private final ThreadLocal<TreeSetSolver> solvers = ThreadLocal.withInitial(TreeSetSolver::new);
  private volatile @Nullable Answer last;

  /**
   * {@return the best plan; null if there are too many kinds and pods to decide; a plan without
   * parts if the pods do not fit}
   *
   * @param servers the servers in their order; null for one that may not be used
   * @param domains the domain of each server at each level of the network, the finest level first:
   *     equal numbers for the same domain
   * @param demand the demand of the pods
   * @param budget the time for the search
   */
  @Nullable
  public Plan solve(
      List<GangOptions.@Nullable State> servers, List<int[]> domains, Demand demand, Budget budget)
      throws BudgetExceededException {
    Answer known = last;
    if (known != null && known.isOf(servers, domains, demand)) {
      return known.plan;
    }
    Memory memory = remembered.get(demand);
    Counts counts = memory == null ? Counts.of(demand) : memory.counts;
    if (counts == null) {
      return null;
    }
    Plan plan = new Run(counts, options(servers, demand, counts, budget), domains, budget).best();
    last =
        new Answer(
            Collections.unmodifiableList(new ArrayList<>(servers)),
            domains.stream().map(int[]::clone).toList(),
            demand,
            plan);
    return plan;
  }

  private @Nullable GangOptions[] options(
      List<GangOptions.@Nullable State> servers, Demand demand, Counts counts, Budget budget)
      throws BudgetExceededException {
    @Nullable GangOptions[] options = new GangOptions[servers.size()];
    TreeSetSolver solver = solvers.get();
    solver.limit(budget);
    Memory memory = remembered.computeIfAbsent(demand, any -> new Memory(counts));
    for (int i = 0; i < options.length; i++) {
      budget.spend(1);
      GangOptions.State state = servers.get(i);
      if (state != null) {
        GangOptions known = memory.options.get(state);
        if (known == null) {
          budget.check();
          known = new GangOptions(state, counts, solver, budget);
          if (size.addAndGet(known.room() + counts.size()) > MAX_REMEMBERED) {
            remembered.clear();
            size.set(0);
          }
          memory.options.put(state, known);
        }
        options[i] = known;
      }
    }
    return options;
  }

  /** Servers in the same state, with the offer of each of them for the current rails. */
  private static final class Group {
    final GangOptions options;
    final int[] useful; // counts that can be in a plan with the most bandwidth
    int usefulSize;
    final int[] counts; // that it offers
    final int[] sets; // the best set for each of them
    final long[] values;
    final long[] rests;
    final boolean[] fewest; // whether it has as few NICs as a server may have
    int size; // the number of counts that it offers
    int mostPods;
    long restOfPod; // the most that a pod on it adds to the rest, rounded up
    int seen; // in a domain

    Group(GangOptions options, int counts) {
      this.options = options;
      this.useful = new int[counts];
      this.counts = new int[counts];
      this.sets = new int[counts];
      this.values = new long[counts];
      this.rests = new long[counts];
      this.fewest = new boolean[counts];
    }

    void clear() {
      size = 0;
      mostPods = 0;
      restOfPod = NONE;
    }

    void add(int count, int pods, int set, boolean hasFewest) {
      GangOptions.Sets of = options.of(count);
      counts[size] = count;
      sets[size] = set;
      values[size] = of.value();
      rests[size] = of.rest(set);
      fewest[size] = hasFewest;
      mostPods = Math.max(mostPods, pods);
      restOfPod = Math.max(restOfPod, -Math.floorDiv(-rests[size], pods));
      size++;
    }
  }

  /**
   * The properties that all servers of a plan must have in common.
   *
   * @param rails the rails of all of them
   * @param fewest the fewest NICs that one of them has; negative if that does not matter
   */
  private record Common(long rails, int fewest) {
    static final Common NOTHING = new Common(0, -1);
  }

  /** Servers that are equally near to each other; of each state at most as many servers as pods. */
  private static final class Domain {
    final int[] servers;
    final long bound; // no plan on them has a greater rest

    Domain(int[] servers, long bound) {
      this.servers = servers;
      this.bound = bound;
    }
  }

  /** The search for one gang. */
  private static final class Run {
    private final Counts counts;
    private final List<int[]> domains;
    private final Budget budget;
    private final int whole;
    private final int pods;
    private final @Nullable Group[] groupOf; // by server
    private final List<Group> groups = new ArrayList<>();
    private boolean exact = true;
    private long most;
    private long[] shares = {}; // by count: the least bandwidth of a server in the fastest plans

    // The servers that have an offer, and the examined ones among them.
    private final int[] found;
    private int foundSize;
    private int[] chosen = {};
    private final int[] top; // the best ones by some measure
    private int topSize;

    // The best plan by count, and whether a server has the fewest NICs.
    private final long[] values;
    private final long[] rests;
    private int[][] choices = new int[0][];
    private int end;

    Run(Counts counts, @Nullable GangOptions[] options, List<int[]> domains, Budget budget) {
      this.counts = counts;
      this.domains = domains;
      this.budget = budget;
      this.whole = counts.size() - 1;
      this.pods = counts.pods(whole);
      this.values = new long[2 * counts.size()];
      this.rests = new long[2 * counts.size()];
      this.groupOf = new Group[options.length];
      this.found = new int[options.length];
      this.top = new int[pods];
      IdentityHashMap<GangOptions, Group> known = new IdentityHashMap<>();
      for (int server = 0; server < options.length; server++) {
        GangOptions own = options[server];
        if (own != null) {
          Group group = known.get(own);
          if (group == null) {
            group = new Group(own, counts.size());
            known.put(own, group);
            groups.add(group);
          }
          groupOf[server] = group;
        }
      }
    }

    Plan best() throws BudgetExceededException {
      for (Group group : groups) {
        exact &= group.options.isExact();
      }
      int[] all = limited(IntStream.range(0, groupOf.length).toArray());
      shares = new long[counts.size()];
      Arrays.fill(shares, Long.MIN_VALUE);
      keepUseful();
      offer(Common.NOTHING);
      find(all);
      if (!divide(Common.NOTHING)) {
        return new Plan(List.of(), 0, 0, 0, 0, exact);
      }
      Plan first = plan(counts.nics(whole), domains.size() + 1);
      most = first.value();
      for (int count = 1; count <= whole; count++) {
        long others = values[2 * (whole - count)];
        shares[count] = others == NONE ? Long.MAX_VALUE : most - others;
      }
      keepUseful();
      Plan single = onOneServer();
      if (single != null) {
        return single;
      }
      List<List<Domain>> levels = levels(all);
      for (int lost = 0; lost <= counts.nics(whole); lost++) {
        List<Common> rails = rails(lost);
        for (int level = 0; level < levels.size(); level++) {
          Plan plan = best(levels.get(level), rails, lost, level + 1);
          if (plan != null) {
            return plan;
          }
        }
      }
      return first; // too many sets of rails to find those of the best plan
    }

    private @Nullable Plan onOneServer() {
      Plan best = null;
      for (int server = 0; server < groupOf.length; server++) {
        Group group = groupOf[server];
        GangOptions.Sets sets = group == null ? null : group.options.of(whole);
        int set = sets == null ? -1 : sets.best(0);
        if (sets != null
            && set >= 0
            && sets.value() == most
            && (best == null || sets.rest(set) > best.rest())) {
          best =
              new Plan(List.of(part(server, whole, sets, set)), most, 0, 0, sets.rest(set), exact);
        }
      }
      return best;
    }

    // ---- Domains ----

    /** The domains of each level, then all servers as one; the most promising domains first. */
    private List<List<Domain>> levels(int[] all) throws BudgetExceededException {
      offer(Common.NOTHING);
      List<List<Domain>> levels = new ArrayList<>();
      for (int[] domainOf : domains) {
        Map<Integer, IntStream.Builder> members = new LinkedHashMap<>();
        for (int server = 0; server < groupOf.length; server++) {
          if (groupOf[server] != null && groupOf[server].size > 0) {
            members.computeIfAbsent(domainOf[server], any -> IntStream.builder()).add(server);
          }
        }
        List<Domain> level = new ArrayList<>();
        for (IntStream.Builder domain : members.values()) {
          int[] servers = domain.build().toArray();
          if (servers.length > 1) { // one server was examined before
            add(limited(servers), level);
          }
        }
        level.sort(Comparator.comparingLong((Domain domain) -> domain.bound).reversed());
        levels.add(level);
      }
      List<Domain> widest = new ArrayList<>();
      add(all, widest);
      levels.add(widest);
      return levels;
    }

    private void add(int[] servers, List<Domain> level) throws BudgetExceededException {
      long bound = find(servers);
      if (bound != NONE) {
        level.add(new Domain(servers, bound));
      }
    }

    /** Returns at most as many servers of each state as there are pods. */
    private int[] limited(int[] servers) {
      groups.forEach(group -> group.seen = 0);
      int size = 0;
      for (int server : servers) {
        Group group = groupOf[server];
        if (group != null && group.seen++ < pods) {
          servers[size++] = server;
        }
      }
      return Arrays.copyOf(servers, size);
    }

    // ---- Rails ----

    /** The rails that servers can share if so many NICs of the smallest one have no partner. */
    private List<Common> rails(int lost) throws BudgetExceededException {
      Set<Common> common = new LinkedHashSet<>();
      int all = counts.nics(whole);
      if (lost == 0) {
        common.add(new Common(0, all)); // one server has all NICs
      }
      for (Group group : groups) {
        for (int i = 0; i < group.usefulSize; i++) {
          GangOptions.Sets sets = group.options.of(group.useful[i]);
          int wanted = sets.nics == 0 ? -1 : sets.nics - lost;
          for (int set = 0; set < sets.size() && wanted >= 0; set++) {
            budget.spend(1);
            if (Long.bitCount(sets.rails(set)) >= wanted) {
              subsets(sets.rails(set), 0, wanted, sets.nics, common);
              if (common.size() >= MAX_RAIL_SETS) {
                exact = false;
                return List.copyOf(common);
              }
            }
          }
        }
      }
      return List.copyOf(common);
    }

    private static void subsets(long from, long some, int count, int fewest, Set<Common> common) {
      if (count == 0) {
        common.add(new Common(some, fewest));
        return;
      }
      long rest = from;
      while (Long.bitCount(rest) >= count && common.size() < MAX_RAIL_SETS) {
        long first = Long.lowestOneBit(rest);
        rest &= ~first;
        subsets(rest, some | first, count - 1, fewest, common);
      }
    }

    /** The best plan with the most bandwidth, in one of some domains, on some of the rails. */
    private @Nullable Plan best(List<Domain> level, List<Common> rails, int lost, int distance)
        throws BudgetExceededException {
      Plan best = null;
      for (int i = 0; i < rails.size() && !level.isEmpty(); i++) {
        offer(rails.get(i));
        for (Domain domain : level) {
          if (best != null && domain.bound <= best.rest()) {
            break;
          }
          long bound = find(domain.servers);
          if (bound != NONE
              && (best == null || bound > best.rest())
              && divide(rails.get(i))
              && values[end] == most
              && (best == null || rests[end] > best.rest())) {
            best = plan(lost, distance);
          }
        }
      }
      return best;
    }

    // ---- Servers ----

    /** Removes sets that are in no plan with the most bandwidth. */
    private void keepUseful() {
      for (Group group : groups) {
        group.usefulSize = 0;
        for (int count = 1; count <= whole; count++) {
          GangOptions.Sets sets = group.options.of(count);
          if (sets.size() > 0 && sets.value() >= shares[count]) {
            group.useful[group.usefulSize++] = count;
          }
        }
      }
    }

    /** Computes the offer of each server that has the common rails. */
    private void offer(Common common) throws BudgetExceededException {
      budget.spend(groups.size());
      for (Group group : groups) {
        group.clear();
        for (int i = 0; i < group.usefulSize; i++) {
          int count = group.useful[i];
          GangOptions.Sets sets = group.options.of(count);
          // Servers without NICs need no rails.
          long wanted = sets.nics == 0 ? 0 : common.rails;
          int set = sets.nics > 0 && sets.nics < common.fewest ? -1 : sets.best(wanted);
          if (set >= 0) {
            group.add(count, counts.pods(count), set, sets.nics == common.fewest);
          }
        }
      }
    }

    /**
     * Finds the servers of a domain that have an offer.
     *
     * @return an upper bound of the rest of any plan on them; {@link #NONE} if not all pods fit
     */
    private long find(int[] servers) throws BudgetExceededException {
      budget.spend(1 + servers.length / 16);
      foundSize = 0;
      topSize = 0;
      int room = 0;
      for (int server : servers) {
        Group group = group(server);
        if (group.size > 0) {
          found[foundSize++] = server;
          room += group.mostPods;
          if (topSize < pods || group.restOfPod > group(top[topSize - 1]).restOfPod) {
            int at = topSize < pods ? topSize++ : topSize - 1;
            for (; at > 0 && group(top[at - 1]).restOfPod < group.restOfPod; at--) {
              top[at] = top[at - 1];
            }
            top[at] = server;
          }
        }
      }
      if (room < pods) {
        return NONE;
      }
      long bound = 0;
      int left = pods;
      for (int i = 0; i < topSize && left > 0; i++) {
        Group group = group(top[i]);
        int some = Math.min(left, group.mostPods);
        bound += some * group.restOfPod;
        left -= some;
      }
      return bound;
    }

    private Group group(int server) {
      Group group = groupOf[server];
      if (group == null) {
        throw new IllegalStateException("server " + server + " cannot be used");
      }
      return group;
    }

    /** Returns the found servers that are among the best ones for some count, in order. */
    private int[] choose() throws BudgetExceededException {
      if (foundSize <= 2 * pods) {
        return Arrays.copyOf(found, foundSize);
      }
      BitSet best = new BitSet();
      for (int count = 1; count <= whole; count++) {
        budget.spend(1 + foundSize / 8);
        topSize = 0;
        for (int i = 0; i < foundSize; i++) {
          int offer = offerOf(found[i], count);
          if (offer < 0 || (topSize == pods && !isBetter(found[i], top[topSize - 1], count))) {
            continue;
          }
          int at = topSize < pods ? topSize++ : topSize - 1;
          for (; at > 0 && isBetter(found[i], top[at - 1], count); at--) {
            top[at] = top[at - 1];
          }
          top[at] = found[i];
        }
        for (int i = 0; i < topSize; i++) {
          best.set(top[i]);
        }
      }
      return best.stream().toArray();
    }

    private int offerOf(int server, int count) {
      Group group = group(server);
      return Arrays.binarySearch(group.counts, 0, group.size, count);
    }

    private boolean isBetter(int server, int than, int count) {
      Group one = group(server);
      Group other = group(than);
      int i = offerOf(server, count);
      int j = offerOf(than, count);
      return one.values[i] > other.values[j]
          || (one.values[i] == other.values[j] && one.rests[i] > other.rests[j]);
    }

    // ---- Plans ----

    /**
     * Finds the best way to divide the pods among the servers that were found.
     *
     * @return whether there is one; {@link #end} is its place in the tables
     */
    private boolean divide(Common common) throws BudgetExceededException {
      chosen = choose();
      Arrays.fill(values, NONE);
      values[0] = 0;
      rests[0] = 0;
      if (choices.length < chosen.length) {
        choices = new int[chosen.length][values.length];
      }
      for (int i = 0; i < chosen.length; i++) {
        budget.spend(whole);
        add(group(chosen[i]), choices[i]);
      }
      end = 2 * whole + (common.fewest < 0 ? 0 : 1);
      return values[end] != NONE;
    }

    /** Returns the plan that was found. */
    private Plan plan(int lost, int distance) {
      List<Part> parts = new ArrayList<>();
      int at = end;
      for (int i = chosen.length - 1; i >= 0 && at > 0; i--) {
        int choice = choices[i][at] - 1;
        if (choice >= 0) {
          Group group = group(chosen[i]);
          int offer = choice / 2;
          int count = group.counts[offer];
          parts.add(0, part(chosen[i], count, group.options.of(count), group.sets[offer]));
          at = at - at % 2 - 2 * count + choice % 2;
        }
      }
      return new Plan(parts, values[end], lost, distance, rests[end], exact);
    }

    /** Adds a server to the tables: the best choice for each count with it. */
    private void add(Group group, int[] choice) {
      Arrays.fill(choice, 0);
      for (int to = whole; to > 0; to--) {
        for (int offer = 0; offer < group.size && group.counts[offer] <= to; offer++) {
          int count = group.counts[offer];
          if (!counts.isPart(count, to)) {
            continue;
          }
          for (int flag = 0; flag < 2; flag++) {
            int from = 2 * (to - count) + flag;
            if (values[from] != NONE) {
              int end = 2 * to + (flag == 1 || group.fewest[offer] ? 1 : 0);
              long value = values[from] + group.values[offer];
              long rest = rests[from] + group.rests[offer];
              if (values[end] == NONE
                  || value > values[end]
                  || (value == values[end] && rest > rests[end])) {
                values[end] = value;
                rests[end] = rest;
                choice[end] = 2 * offer + flag + 1;
              }
            }
          }
        }
      }
    }

    private Part part(int server, int count, GangOptions.Sets sets, int set) {
      List<Integer> ofKinds = new ArrayList<>();
      for (int kind = 0; kind < counts.counts[count].length; kind++) {
        ofKinds.add(counts.of(count, kind));
      }
      return new Part(server, List.copyOf(ofKinds), sets.gpus(set), sets.nics(set));
    }
  }
}
