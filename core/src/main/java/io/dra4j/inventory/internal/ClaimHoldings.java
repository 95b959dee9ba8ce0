package io.dra4j.inventory.internal;

import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The holdings of an allocated claim. A snapshot that was combined from several dumps can have
 * several claims with one name; they form a chain, in their order.
 */
public final class ClaimHoldings {

  private final @Nullable String uid; // null if it is not known
  private final List<Holding> parts; // in the order of the allocation
  private final @Nullable ClaimHoldings next; // another claim with the same name

  private ClaimHoldings(@Nullable String uid, List<Holding> parts, @Nullable ClaimHoldings next) {
    this.uid = uid;
    this.parts = parts;
    this.next = next;
  }

  /** The holdings of a claim, or null for a claim without allocation. */
  static @Nullable ClaimHoldings of(ResourceClaim claim) {
    return claim.allocation() == null
        ? null
        : new ClaimHoldings(uidOf(claim), Holding.of(claim), null);
  }

  /** The holdings of allocated claims with one name, at least one claim. */
  static ClaimHoldings ofAll(List<ClaimHoldings> claims) {
    return Objects.requireNonNull(chain(claims), "a claim");
  }

  private static @Nullable ClaimHoldings chain(List<ClaimHoldings> claims) {
    ClaimHoldings chain = null;
    for (int i = claims.size() - 1; i >= 0; i--) {
      chain = new ClaimHoldings(claims.get(i).uid, claims.get(i).parts, chain);
    }
    return chain;
  }

  private static @Nullable String uidOf(ResourceClaim claim) {
    String uid = claim.metadata().uid();
    return uid == null || uid.isEmpty() ? null : uid;
  }

  /** Returns whether a claim with this name is one of these, by UID if both UIDs are known. */
  public boolean has(ResourceClaim claim) {
    String wanted = uidOf(claim);
    for (ClaimHoldings one = this; one != null; one = one.next) {
      if (one.mayBe(wanted)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayBe(@Nullable String other) {
    return uid == null || other == null || uid.equals(other);
  }

  /** These holdings without the holdings of the given claim, or null if nothing remains. */
  @Nullable ClaimHoldings without(ResourceClaim claim) {
    String gone = uidOf(claim);
    List<ClaimHoldings> others = new ArrayList<>(1);
    for (ClaimHoldings one = this; one != null; one = one.next) {
      if (!one.mayBe(gone)) {
        others.add(one);
      }
    }
    return chain(others);
  }

  /** The same claims, followed by another one with the same name. */
  ClaimHoldings with(ClaimHoldings another) {
    List<ClaimHoldings> all = new ArrayList<>(2);
    for (ClaimHoldings one = this; one != null; one = one.next) {
      all.add(one);
    }
    all.add(another);
    return ofAll(all);
  }

  /** Returns all holdings of the claims, in their order. */
  public List<Holding> all() {
    if (next == null) {
      return parts;
    }
    List<Holding> all = new ArrayList<>();
    for (ClaimHoldings one = this; one != null; one = one.next) {
      all.addAll(one.parts);
    }
    return all;
  }

  /** Whether two inventories have equal holdings for a name; null stands for no claims. */
  static boolean areSame(@Nullable ClaimHoldings one, @Nullable ClaimHoldings other) {
    while (one != null && other != null) { // not by recursion: there may be very many
      if (!Objects.equals(one.uid, other.uid) || !one.parts.equals(other.parts)) {
        return false;
      }
      one = one.next;
      other = other.next;
    }
    return one == null && other == null;
  }
}
