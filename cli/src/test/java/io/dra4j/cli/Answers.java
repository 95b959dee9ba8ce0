package io.dra4j.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Compares answers of {@code allocate --all-nodes}, except the messages of errors, which differ
 * between programs.
 */
final class Answers {

  private Answers() {}

  /** The part of an answer that two programs must agree on. */
  static JsonNode comparable(JsonNode answer) {
    ObjectNode comparable = answer.deepCopy();
    comparable.remove("file");
    if (comparable.has("error")) {
      comparable.put("error", "some text");
    }
    for (JsonNode node : comparable.path("nodes")) {
      if (node.has("error")) {
        ((ObjectNode) node).put("error", "some text");
      }
    }
    return comparable;
  }

  /** The kind of answer for a node. */
  static String kindOf(JsonNode node) {
    if (node.has("allocations")) {
      return "allocated";
    }
    return node.has("error") ? "error of the " + node.path("errorScope").asText() : "does not fit";
  }
}
