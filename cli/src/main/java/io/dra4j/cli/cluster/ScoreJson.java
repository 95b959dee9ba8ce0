package io.dra4j.cli.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.placement.PlacementScore;

/** Writes a score as JSON, with the names of its parts. */
final class ScoreJson {

  private ScoreJson() {}

  static ObjectNode of(PlacementScore score) {
    ObjectNode json =
        JsonTree.NODES
            .objectNode()
            .put("gigabytesPerSecond", score.gigabytesPerSecond())
            .put("upperBoundGigabytesPerSecond", score.upperBoundGigabytesPerSecond())
            .put("numaNodes", score.numaNodes())
            .put("fragmentationChange", score.fragmentationChange())
            .put("explanation", score.explanation());
    ObjectNode paths = json.putObject("paths");
    score.paths().forEach((type, count) -> paths.put(type.name(), count));
    ArrayNode rails = json.putArray("rails");
    score.rails().forEach(rails::add);
    ArrayNode pairs = json.putArray("pairs");
    for (PlacementScore.Pair pair : score.pairs()) {
      pairs
          .addObject()
          .put("gpu", pair.gpu().toString())
          .put("nic", pair.nic().toString())
          .put("path", pair.path().name())
          .put("gigabytesPerSecond", pair.gigabytesPerSecond());
    }
    return json;
  }
}
