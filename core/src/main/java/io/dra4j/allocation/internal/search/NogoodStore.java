package io.dra4j.allocation.internal.search;

import io.dra4j.allocation.internal.request.AttributeValueIds;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.rule.DistinctAttributeRule;
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
  private final int[] endsOfMatching; // by constraint, behind the last request it is about
  private final int[] endsOfDistinct;
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
    this.endsOfMatching = new int[outline.matching.size()];
    this.endsOfDistinct = new int[outline.distinct.size()];
    for (int place = 0; place < outline.requests.size(); place++) {
      for (PlannedRequest target : outline.requests.get(place).alternatives()) {
        context.budget().spend(outline.matchingOf(target).length / CONSTRAINTS_PER_UNIT);
        context.budget().spend(outline.distinctOf(target).length / CONSTRAINTS_PER_UNIT);
        for (int number : outline.matchingOf(target)) {
          endsOfMatching[number] = place + 1;
        }
        for (int number : outline.distinctOf(target)) {
          endsOfDistinct[number] = place + 1;
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
    context.budget().spend(endsOfMatching.length / CONSTRAINTS_PER_UNIT);
    context.budget().spend(endsOfDistinct.length / CONSTRAINTS_PER_UNIT);
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
    for (int number = 0; number < outline.matching.size(); number++) {
      AttributeValueIds current = outline.matching.get(number).current();
      if (current != null && endsOfMatching[number] > place) {
        add(-1 - number);
        add(current.scalar ? 1 : 0);
        current.ids().forEach(this::add);
      }
    }
    for (int number = 0; number < outline.distinct.size(); number++) {
      DistinctAttributeRule rule = outline.distinct.get(number);
      if (!rule.placed().isEmpty() && endsOfDistinct[number] > place) {
        add(-1 - outline.matching.size() - number);
        int from = length;
        boolean lists = rule.constraint().comparesLists();
        for (AttributeValueIds values : rule.placed()) {
          values.ids().forEach(id -> add(values.scalar || lists ? id : -2 - id));
        }
        Arrays.sort(words, from, length);
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
