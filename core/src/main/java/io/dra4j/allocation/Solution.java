package io.dra4j.allocation;

import io.dra4j.allocation.Search.PlacedDevice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a search found on one node, by their places: on a node of equal {@link
 * io.dra4j.inventory.NodeShape} those at the same places are found.
 */
final class Solution {

  /** A device by its place. */
  private record Place(Target target, int ordinal) {}

  private final List<ClaimPlan> claims;
  private final List<List<Target>> chosen = new ArrayList<>(); // by claim and request
  private final List<List<Place>> places = new ArrayList<>(); // by claim

  private Solution(SearchPlan plan, Search search) {
    this.claims = plan.claims;
    for (int i = 0; i < claims.size(); i++) {
      chosen.add(search.chosen(i));
      places.add(
          search.results().get(i).stream()
              .map(device -> new Place(device.target(), device.candidate().ordinal()))
              .toList());
    }
  }

  /**
   * What a search has found.
   *
   * @return the solution; null if other nodes cannot have it by its places, since what a share
   *     consumes is worked out for each device by itself
   */
  static @Nullable Solution of(SearchPlan plan, Search search) {
    for (List<PlacedDevice> devices : search.results()) {
      for (PlacedDevice device : devices) {
        if (plan.context.canBeShared(device.candidate())) {
          return null;
        }
      }
    }
    return new Solution(plan, search);
  }

  List<ClaimPlan> claims() {
    return claims;
  }

  /** For each request of a claim the target that was picked. */
  List<Target> chosen(int claim) {
    return chosen.get(claim);
  }

  /** The devices of a claim on a node of equal shape, in the order in which they were chosen. */
  List<PlacedDevice> devices(int claim, Candidates there) {
    List<PlacedDevice> devices = new ArrayList<>(places.get(claim).size());
    for (Place place : places.get(claim)) {
      devices.add(new PlacedDevice(place.target(), there.get(place.ordinal())));
    }
    return devices;
  }
}
