package io.dra4j.placement.internal.policy;

import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.internal.selection.ChosenDevices;
import io.dra4j.placement.internal.selection.SetWorth;
import java.util.ArrayList;
import java.util.List;

/** Converts the worth of sets to scores, and adds notes and contention to scores. */
public final class PlacementScores {

  private PlacementScores() {}

  /** Returns the worth of a set as a score, with the names of its devices. */
  static PlacementScore of(SetWorth worth, ChosenDevices chosen) {
    List<PlacementScore.Pair> pairs = new ArrayList<>(worth.pairs().size());
    for (SetWorth.Pair pair : worth.pairs()) {
      pairs.add(
          new PlacementScore.Pair(
              chosen.gpu(pair.gpu()),
              chosen.nic(pair.nic()),
              pair.path(),
              pair.gigabytesPerSecond()));
    }
    return new RankedScore(
        worth.carried(),
        worth.bound(),
        pairs,
        worth.paths(),
        worth.rails(),
        worth.numaNodes(),
        worth.change(),
        worth.ring(),
        worth.explanation(),
        List.of(),
        worth.rank());
  }

  /** Returns the same score with one more note in its sentence. */
  public static PlacementScore withNote(PlacementScore score, String note) {
    List<String> notes = new ArrayList<>(score.notes());
    notes.add(note);
    return new RankedScore(
        score.gigabytesPerSecond(),
        score.upperBoundGigabytesPerSecond(),
        score.pairs(),
        score.paths(),
        score.rails(),
        score.numaNodes(),
        score.fragmentationChange(),
        score.nvLinkGigabytesPerSecond(),
        score.explanation() + "; " + note,
        notes,
        score.rank());
  }

  /**
   * {@return the score when later allocations share links; the same if bandwidth is no less}
   *
   * @param score the score of the allocation when it was made
   * @param later the score of the same devices when all others run
   */
  static PlacementScore withContention(PlacementScore score, PlacementScore later) {
    if (later.gigabytesPerSecond() >= score.gigabytesPerSecond()) {
      return score;
    }
    PlacementScore shared =
        new RankedScore(
            later.gigabytesPerSecond(),
            score.upperBoundGigabytesPerSecond(),
            later.pairs(),
            later.paths(),
            score.rails(),
            score.numaNodes(),
            score.fragmentationChange(),
            score.nvLinkGigabytesPerSecond(),
            later.explanation(),
            List.of(),
            score.rank());
    for (String note : score.notes()) {
      shared = withNote(shared, note);
    }
    return shared;
  }
}
