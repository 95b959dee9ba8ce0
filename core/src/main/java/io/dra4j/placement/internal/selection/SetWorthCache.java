package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.MaskHash;
import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.topology.PathType;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the worth of sets for one kind of servers. Holds 64 sets of about 1 KB each. A new set
 * replaces the set in the same slot. Thread-safe.
 */
public final class SetWorthCache {

  private static final int PLACES = 64;

  private final AtomicReferenceArray<@Nullable SetWorth> worths =
      new AtomicReferenceArray<>(PLACES);

  @Nullable SetWorth get(
      Objective objective,
      ServerOccupancy before,
      @Nullable PathType preferred,
      @Nullable PathType required,
      long gpus,
      long nics) {
    SetWorth known = worths.get(place(before, gpus, nics));
    boolean same =
        known != null
            && known.gpus() == gpus
            && known.nics() == nics
            && known.objective() == objective
            && known.preferred() == preferred
            && known.required() == required
            && known.before().equals(before);
    return same ? known : null;
  }

  void put(SetWorth worth) {
    worths.set(place(worth.before(), worth.gpus(), worth.nics()), worth);
  }

  private static int place(ServerOccupancy before, long gpus, long nics) {
    return MaskHash.slot(PLACES, gpus, nics, before.freeGpus(), before.freeNics());
  }
}
