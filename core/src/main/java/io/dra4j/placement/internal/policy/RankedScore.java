package io.dra4j.placement.internal.policy;

import io.dra4j.placement.PlacementScore;
import io.dra4j.topology.PathType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The values of a score. */
public record RankedScore(
    double gigabytesPerSecond,
    double upperBoundGigabytesPerSecond,
    List<Pair> pairs,
    Map<PathType, Integer> paths,
    List<Integer> rails,
    int numaNodes,
    double fragmentationChange,
    double nvLinkGigabytesPerSecond,
    String explanation,
    List<String> notes,
    List<Long> rank)
    implements PlacementScore {

  /** Copies lists and maps. {@inheritDoc} */
  public RankedScore {
    pairs = List.copyOf(pairs);
    EnumMap<PathType, Integer> sorted = new EnumMap<>(PathType.class);
    sorted.putAll(paths);
    paths = Collections.unmodifiableMap(sorted);
    rails = List.copyOf(rails);
    notes = List.copyOf(notes);
    rank = List.copyOf(rank);
  }

  /** Returns the explanation. */
  @Override
  public String toString() {
    return explanation;
  }
}
