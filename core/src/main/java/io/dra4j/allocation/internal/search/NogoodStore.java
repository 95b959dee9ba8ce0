package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores positions from which a search found no solution, so that equivalent positions are skipped.
 * Positions are equivalent if they have the same next request and the same, or interchangeable,
 * remaining devices. Stored positions come earlier in the order of the search, so that a skipped
 * position cannot contain the first solution.
 */
public final class NogoodStore {

  /** Enough for about 20,000 positions of large claims. */
  private static final long MAX_BYTES = 4L << 20;

  private static final int BYTES_OF_KEY = 80;
  private static final int CONSTRAINTS_PER_UNIT = 64;
  private static final int[] NOTHING = {};

  /** All values that the rest of a search depends on. */
  static final class Key {
    private final int[] words;
    private final int hash;

    private Key(int[] words) {
      this.words = words;
      this.hash = Arrays.hashCode(words);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && Arrays.equals(words, key.words);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private final SearchContext context;
  private final PlanOutline outline;
  private final InterchangeableDevices interchangeable;
  private final BitSet[] relevant; // by index of a request: the candidates of it and of later ones
  private final int[] ends; // by constraint, the index after the last request it applies to
  private final Set<Key> known = new HashSet<>();
  private long bytes;
  private int[] words = new int[64];
  private int length;

  public NogoodStore(
      SearchContext context,
      PlanOutline outline,
      CandidateSets sets,
      InterchangeableDevices interchangeable)
      throws BudgetExceededException {
    this.context = context;
    this.outline = outline;
    this.interchangeable = interchangeable;
    this.relevant = new BitSet[outline.requests.size() + 1];
    BitSet rest = new BitSet();
    for (int place = outline.requests.size(); place >= 0; place--) {
      if (place < outline.requests.size()) {
        for (PlannedRequest target : outline.requests.get(place).alternatives()) {
          rest.or(sets.of(target));
        }
      }
      relevant[place] = (BitSet) rest.clone();
    }
    this.ends = new int[outline.constraints.size()];
    for (int place = 0; place < outline.requests.size(); place++) {
      for (PlannedRequest target : outline.requests.get(place).alternatives()) {
        context.budget().spend(outline.constraintsOf(target).length / CONSTRAINTS_PER_UNIT);
        for (int number : outline.constraintsOf(target)) {
          ends[number] = place + 1;
        }
      }
    }
  }

  /**
   * Describes a position.
   *
   * @param place the index of the next request among the requests of all claims
   * @param alternative the chosen alternative of the request, -1 for none
   * @param chosen the number of devices that it has
   * @param start the first device that it can get next
   * @param used the devices that are placed exclusively
   * @param shares the shares that are placed
   */
  public Key keyOf(int place, int alternative, long chosen, int start, BitSet used, Shares shares)
      throws BudgetExceededException {
    length = 0;
    add(place);
    add(alternative);
    add((int) chosen);
    add(chosen == 0 ? 0 : start);
    context.budget().spend(ends.length / CONSTRAINTS_PER_UNIT);
    addConstraints(place);
    boolean exact = chosen > 0; // the next candidates depend on the order of devices
    int from = length;
    for (int i = used.nextSetBit(0); i >= 0; i = used.nextSetBit(i + 1)) {
      NodeDevice candidate = context.candidates().get(i);
      if (relevant[place].get(i) || candidate.drawsFromCounters()) {
        add(exact ? i : interchangeable.numberOf(i));
      }
    }
    Arrays.sort(words, from, length);
    shares.addTo(this, interchangeable, exact);
    return new Key(Arrays.copyOf(words, length));
  }

  /** Adds the state of constraints that apply to the request at an index, or to a later one. */
  private void addConstraints(int place) {
    for (int number = 0; number < ends.length; number++) {
      int[] state = ends[number] > place ? outline.constraints.get(number).state() : NOTHING;
      if (state.length > 0) {
        add(-1 - number); // a value that no state has
        for (int word : state) {
          add(word);
        }
      }
    }
    add(Integer.MIN_VALUE);
  }

  void add(int word) {
    if (length == words.length) {
      words = Arrays.copyOf(words, 2 * length);
    }
    words[length++] = word;
  }

  boolean contains(Key key) {
    return known.contains(key);
  }

  /** Stores that no solution was found from a position on. */
  void add(Key key) {
    if (bytes < MAX_BYTES && known.add(key)) {
      bytes += BYTES_OF_KEY + 4L * key.words.length;
    }
  }
}
