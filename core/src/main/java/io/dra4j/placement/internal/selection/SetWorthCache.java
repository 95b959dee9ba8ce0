package io.dra4j.placement.internal.selection;

import io.dra4j.placement.internal.server.Objective;
import io.dra4j.placement.internal.server.ServerOccupancy;
import io.dra4j.topology.PathType;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What sets of one kind of servers are worth. Holds 64 sets of some 1 KB each: a set that falls on
 * the place of another one takes it. Thread-safe.
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
    long mixed = gpus * 0x9e3779b97f4a7c15L + nics;
    mixed = mixed * 0xbf58476d1ce4e5b9L + before.freeGpus();
    mixed = mixed * 0x94d049bb133111ebL + before.freeNics();
    return (int) ((mixed ^ mixed >>> 29) >>> 7) & PLACES - 1;
  }
}
