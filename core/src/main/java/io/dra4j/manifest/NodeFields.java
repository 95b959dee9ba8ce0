package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.Node;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import org.jspecify.annotations.Nullable;

/** Reads and writes nodes, and what selects them. */
final class NodeFields {

  private NodeFields() {}

  static Node read(Fields node) {
    return new Node(MetaFields.read(node), node.at("status").texts("declaredFeatures"));
  }

  static void write(Node node, ObjectNode json) {
    MetaFields.write(node.metadata(), json);
    if (!node.declaredFeatures().isEmpty()) {
      Json.texts(json.putObject("status"), "declaredFeatures", node.declaredFeatures());
    }
  }

  /** The three fields of a slice or device that say from where it can be used. */
  static NodeSelection readSelection(Fields fields) {
    return new NodeSelection(
        fields.optionalText("nodeName"),
        fields.optionalFlag("allNodes"),
        readSelector(fields, "nodeSelector"));
  }

  static void writeSelection(NodeSelection selection, ObjectNode json) {
    Json.pointer(json, "nodeName", selection.nodeName());
    Json.flag(json, "allNodes", selection.allNodes());
    Json.object(json, "nodeSelector", selection.nodeSelector(), NodeFields::writeSelector);
  }

  static @Nullable NodeSelector readSelector(Fields fields, String name) {
    return fields.object(
        name, selector -> new NodeSelector(selector.list("nodeSelectorTerms", NodeFields::term)));
  }

  static void writeSelector(NodeSelector selector, ObjectNode json) {
    ArrayNode terms = json.putArray("nodeSelectorTerms");
    for (NodeSelectorTerm term : selector.terms()) {
      ObjectNode termJson = terms.addObject();
      Json.list(
          termJson, "matchExpressions", term.matchExpressions(), NodeFields::writeRequirement);
      Json.list(termJson, "matchFields", term.matchFields(), NodeFields::writeRequirement);
    }
  }

  private static NodeSelectorTerm term(Fields term) {
    return new NodeSelectorTerm(
        term.list("matchExpressions", NodeFields::requirement),
        term.list("matchFields", NodeFields::requirement));
  }

  private static NodeSelectorRequirement requirement(Fields requirement) {
    return new NodeSelectorRequirement(
        requirement.text("key"),
        new NodeSelectorOperator(requirement.text("operator")),
        requirement.texts("values"));
  }

  private static void writeRequirement(NodeSelectorRequirement requirement, ObjectNode json) {
    json.put("key", requirement.key());
    json.put("operator", requirement.operator().value());
    Json.texts(json, "values", requirement.values());
  }
}
