package io.dra4j.cli.cel;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.terminal.JsonTree;
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Clause;

/** Writes explanations of selectors as JSON. */
final class CelExplanationJson {

  private CelExplanationJson() {}

  static ObjectNode of(SelectorExplanation said) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("verdict", said.expression().verdict().text()).put("summary", said.summary());
    ArrayNode hints = json.putArray("hints");
    said.hints().forEach(hints::add);
    json.set("expression", clause(said.expression()));
    return json;
  }

  private static ObjectNode clause(Clause clause) {
    ObjectNode json = JsonTree.NODES.objectNode();
    json.put("text", clause.text())
        .put("verdict", clause.verdict().text())
        .put("decides", clause.decides());
    if (!clause.error().isEmpty()) {
      json.put("error", clause.error());
    }
    if (clause.parts().isEmpty() && !clause.readings().isEmpty()) {
      ObjectNode readings = json.putObject("readings");
      clause.readings().forEach(reading -> readings.put(reading.name(), reading.value()));
    }
    if (!clause.parts().isEmpty()) {
      ArrayNode parts = json.putArray("parts");
      clause.parts().forEach(part -> parts.add(clause(part)));
    }
    return json;
  }
}
