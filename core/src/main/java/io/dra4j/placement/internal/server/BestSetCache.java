package io.dra4j.placement.internal.server;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the best sets of one shape, for all servers of this shape. Holds at most about 80 KB.
 * A new set replaces the set in the same slot. Thread-safe.
 */
public final class BestSetCache {

  private static final int PLACES = 512;

  /**
   * A query and its answer.
   *
   * @param found whether there is such a set
   * @param gpus the GPUs of the best set
   * @param nics the NICs of the best set
   */
  public record Chosen(
      Objective objective,
      long freeGpus,
      long freeNics,
      long someGpus,
      long someNics,
      int numberOfGpus,
      int numberOfNics,
      TreeSetSolver.@Nullable Bundles bundles,
      boolean found,
      long gpus,
      long nics) {}

  public final ServerTree shape;
  private final AtomicReferenceArray<@Nullable Chosen> memory = new AtomicReferenceArray<>(PLACES);

  BestSetCache(ServerTree shape) {
    this.shape = shape;
  }

  /** As {@link TreeSetSolver#solve}, with the answer as a value. */
  @SuppressWarnings({"MethodLength", "ParameterNumber"}) // a lookup makes no object of its query
  public Chosen best(
      TreeSetSolver solver,
      Objective objective,
      long freeGpus,
      long freeNics,
      long someGpus,
      long someNics,
      int numberOfGpus,
      int numberOfNics,
      TreeSetSolver.@Nullable Bundles bundles) {
    int place =
        MaskHash.slot(
            PLACES, freeGpus, freeNics, someGpus, someNics, numberOfGpus * 64L + numberOfNics);
    Chosen known = memory.get(place);
    if (known != null
        && known.freeGpus == freeGpus
        && known.freeNics == freeNics
        && known.someGpus == someGpus
        && known.someNics == someNics
        && known.numberOfGpus == numberOfGpus
        && known.numberOfNics == numberOfNics
        && known.objective == objective
        && (bundles == null ? known.bundles == null : bundles.equals(known.bundles))) {
      return known;
    }
    boolean found =
        solver.solve(
            shape,
            objective,
            freeGpus,
            freeNics,
            someGpus,
            someNics,
            numberOfGpus,
            numberOfNics,
            bundles);
    Chosen chosen =
        new Chosen(
            objective,
            freeGpus,
            freeNics,
            someGpus,
            someNics,
            numberOfGpus,
            numberOfNics,
            bundles,
            found,
            found ? solver.gpus() : 0,
            found ? solver.nics() : 0);
    if (!solver.isCut()) {
      memory.set(place, chosen);
    }
    return chosen;
  }
}
