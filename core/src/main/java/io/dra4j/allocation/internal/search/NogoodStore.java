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
 * Remembers from where a search found nothing, so that it does not look there again when other
 * choices lead to the same: to the same position with the same devices left, or with devices left
 * that cannot be distinguished from them. What has been remembered comes before in the order of the
 * search, so that what is passed over cannot hold the first solution.
 */
public final class NogoodStore {

  /** Enough for some 20,000 positions of large claims. */
  private static final long MAX_BYTES = 4L << 20;

  private static final int BYTES_OF_KEY = 80;
  private static final int CONSTRAINTS_PER_UNIT = 64;
  private static final int[] NOTHING = {};

  /** All that the rest of a search depends on. */
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
  private final BitSet[] relevant; // by place of a request: what it and later ones may get
  private final int[] ends; // by constraint, behind the last request it is about
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
   * @param place the place of the next request among those of all claims
   * @param alternative which of its alternatives is chosen, -1 for none
   * @param chosen how many devices it has
   * @param start the first device that it can get next
   * @param used the devices that are placed and taken
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
    boolean exact = chosen > 0; // what comes next depends on where devices are
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

  /** What constraints remember that are about the request at a place, or a later one. */
  private void addConstraints(int place) {
    for (int number = 0; number < ends.length; number++) {
      int[] state = ends[number] > place ? outline.constraints.get(number).state() : NOTHING;
      if (state.length > 0) {
        add(-1 - number); // which no state has
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

  /** Remembers that nothing was found from a position on. */
  void add(Key key) {
    if (bytes < MAX_BYTES && known.add(key)) {
      bytes += BYTES_OF_KEY + 4L * key.words.length;
    }
  }
}
