package io.dra4j.placement.internal.policy;

import io.dra4j.placement.PlacementScore;
import io.dra4j.placement.internal.selection.ChosenDevices;
import io.dra4j.placement.internal.selection.SetWorth;
import java.util.ArrayList;
import java.util.List;

/** Makes scores of what sets are worth, and adds to scores. */
public final class PlacementScores {

  private PlacementScores() {}

  /** The worth of a set, with the names of its devices. */
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
    return new PlacementScore(
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

  /** The same score, whose sentence has one more note. */
  public static PlacementScore withNote(PlacementScore score, String note) {
    List<String> notes = new ArrayList<>(score.notes());
    notes.add(note);
    return new PlacementScore(
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
   * The score of an allocation once later ones share links with it.
   *
   * @param score the score of the allocation when it was made
   * @param later the score of the same devices beside all others
   * @return the score as it was if its pairs carry no less
   */
  static PlacementScore withContention(PlacementScore score, PlacementScore later) {
    if (later.gigabytesPerSecond() >= score.gigabytesPerSecond()) {
      return score;
    }
    PlacementScore shared =
        new PlacementScore(
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
