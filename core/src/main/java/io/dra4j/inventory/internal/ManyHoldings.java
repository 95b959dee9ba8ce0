package io.dra4j.inventory.internal;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import io.dra4j.persistent.PersistentMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The holdings of a device with many holders: changes cost their own size, and sums are stored. */
final class ManyHoldings implements DeviceHoldings {

  /**
   * The sum that shares consume of a capacity.
   *
   * @param sum the sum; must not be changed
   * @param shares the number of shares that name the capacity
   */
  private record Consumed(QuantitySum sum, int shares) {}

  private static final ManyHoldings NONE =
      new ManyHoldings(PersistentMap.empty(), PersistentMap.empty(), PersistentMap.empty(), 0, 0);

  private final PersistentMap<ClaimKey, List<Holding>> claims;
  private final PersistentMap<String, Integer> shareIds; // the number of occurrences of each
  private final PersistentMap<String, Consumed> consumed; // by capacity
  private final int whole; // the number of holdings of the whole device
  private final int shares;

  private ManyHoldings(
      PersistentMap<ClaimKey, List<Holding>> claims,
      PersistentMap<String, Integer> shareIds,
      PersistentMap<String, Consumed> consumed,
      int whole,
      int shares) {
    this.claims = claims;
    this.shareIds = shareIds;
    this.consumed = consumed;
    this.whole = whole;
    this.shares = shares;
  }

  static ManyHoldings of(List<Holding> parts) {
    Map<ClaimKey, List<Holding>> byClaim = new LinkedHashMap<>();
    for (Holding part : parts) {
      byClaim.computeIfAbsent(part.claim(), claim -> new ArrayList<>(1)).add(part);
    }
    Change change = new Change(NONE);
    byClaim.forEach(change::add);
    return change.done();
  }

  @Override
  public List<Holding> parts() {
    List<List<Holding>> byClaim = new ArrayList<>(claims.size());
    claims.forEach(byClaim::add);
    byClaim.sort(Comparator.comparing(ofClaim -> ofClaim.get(0).claim()));
    return byClaim.stream().flatMap(List::stream).toList();
  }

  @Override
  public DeviceHoldings with(List<Holding> ofClaim) {
    Change change = new Change(this);
    change.add(ofClaim.get(0).claim(), ofClaim);
    return change.done();
  }

  @Override
  public @Nullable DeviceHoldings without(ClaimKey claim) {
    List<Holding> ofClaim = claims.get(claim);
    if (ofClaim == null) {
      return this;
    }
    int left = whole + shares - ofClaim.size();
    if (left == 0) {
      return null;
    }
    if (left <= FEW) {
      return FewHoldings.of(parts().stream().filter(part -> !part.claim().equals(claim)).toList());
    }
    Change change = new Change(this);
    change.remove(claim, ofClaim);
    return change.done();
  }

  @Override
  public boolean isWhole() {
    return whole > 0;
  }

  @Override
  public boolean isShared() {
    return shares > 0;
  }

  @Override
  public boolean hasShare(String shareId) {
    return shareIds.get(shareId) != null;
  }

  @Override
  public @Nullable QuantitySum consumed(String capacity) {
    Consumed ofShares = consumed.get(capacity);
    return ofShares == null ? null : ofShares.sum();
  }

  @Override
  public @Nullable QuantitySum consumed(QualifiedName capacity, String driver) {
    Consumed withDomain = consumed.get(capacity.toString());
    boolean isOfDriver = capacity.domain().equals(driver);
    Consumed without = isOfDriver ? consumed.get(capacity.id()) : null;
    if (withDomain == null || without == null) {
      Consumed either = withDomain == null ? without : withDomain;
      return either == null ? null : either.sum();
    }
    QuantitySum sum = new QuantitySum();
    for (Holding part : parts()) {
      Quantity amount = capacity.in(driver, part.consumed());
      if (amount != null) {
        sum.add(amount);
      }
    }
    return sum;
  }

  /** The next holdings under construction. */
  private static final class Change {
    private final PersistentMap.Editor<ClaimKey, List<Holding>> claims;
    private final PersistentMap.Editor<String, Integer> shareIds;
    private final PersistentMap.Editor<String, Consumed> consumed;
    private int whole;
    private int shares;

    Change(ManyHoldings before) {
      this.claims = before.claims.edit();
      this.shareIds = before.shareIds.edit();
      this.consumed = before.consumed.edit();
      this.whole = before.whole;
      this.shares = before.shares;
    }

    void add(ClaimKey claim, List<Holding> ofClaim) {
      List<Holding> all = new ArrayList<>(1);
      List<Holding> known = claims.get(claim);
      all.addAll(known == null ? List.of() : known);
      all.addAll(ofClaim);
      claims.put(claim, List.copyOf(all));
      ofClaim.forEach(part -> count(part, 1));
    }

    void remove(ClaimKey claim, List<Holding> ofClaim) {
      claims.remove(claim);
      ofClaim.forEach(part -> count(part, -1));
    }

    private void count(Holding part, int step) {
      String shareId = part.shareId();
      if (shareId == null) {
        whole += step;
        return;
      }
      shares += step;
      Integer known = shareIds.get(shareId);
      int times = (known == null ? 0 : known) + step;
      if (times == 0) {
        shareIds.remove(shareId);
      } else {
        shareIds.put(shareId, times);
      }
      part.consumed().forEach((capacity, amount) -> count(capacity, amount, step));
    }

    private void count(String capacity, Quantity amount, int step) {
      Consumed before = consumed.get(capacity);
      int sharesOfIt = (before == null ? 0 : before.shares()) + step;
      if (sharesOfIt == 0) {
        consumed.remove(capacity);
        return;
      }
      QuantitySum sum = before == null ? new QuantitySum() : before.sum().copy();
      if (step > 0) {
        sum.add(amount);
      } else {
        sum.subtract(amount);
      }
      consumed.put(capacity, new Consumed(sum, sharesOfIt));
    }

    ManyHoldings done() {
      return new ManyHoldings(claims.done(), shareIds.done(), consumed.done(), whole, shares);
    }
  }
}
