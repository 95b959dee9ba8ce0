package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.NodeSelection;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;

/** The selection of nodes: {@code nodeName}, {@code allNodes} and {@code nodeSelector}. */
final class NodeSelectorCodec {

  private NodeSelectorCodec() {}

  static NodeSelection readSelection(FieldReader in) {
    String nodeName = in.optionalText("nodeName");
    Boolean allNodes = in.optionalFlag("allNodes");
    NodeSelector selector = in.optionalObject("nodeSelector", NodeSelectorCodec::read);
    return nodeName == null && allNodes == null && selector == null
        ? NodeSelection.NONE
        : new NodeSelection(nodeName, allNodes, selector);
  }

  static void writeSelection(NodeSelection selection, FieldWriter out) {
    out.optionalText("nodeName", selection.nodeName())
        .optional("nodeSelector", selection.nodeSelector(), NodeSelectorCodec::write)
        .optionalFlag("allNodes", selection.allNodes());
  }

  static NodeSelector read(FieldReader in) {
    return new NodeSelector(in.objects("nodeSelectorTerms", NodeSelectorCodec::readTerm));
  }

  static Json.Fields write(NodeSelector selector) {
    return new FieldWriter()
        .required("nodeSelectorTerms", selector.terms(), NodeSelectorCodec::writeTerm)
        .done();
  }

  private static NodeSelectorTerm readTerm(FieldReader in) {
    return new NodeSelectorTerm(
        in.objects("matchExpressions", NodeSelectorCodec::readRequirement),
        in.objects("matchFields", NodeSelectorCodec::readRequirement));
  }

  private static Json.Fields writeTerm(NodeSelectorTerm term) {
    return new FieldWriter()
        .list("matchExpressions", term.matchExpressions(), NodeSelectorCodec::writeRequirement)
        .list("matchFields", term.matchFields(), NodeSelectorCodec::writeRequirement)
        .done();
  }

  private static NodeSelectorRequirement readRequirement(FieldReader in) {
    return new NodeSelectorRequirement(
        in.text("key"), new NodeSelectorOperator(in.text("operator")), in.texts("values"));
  }

  private static Json.Fields writeRequirement(NodeSelectorRequirement requirement) {
    return new FieldWriter()
        .required("key", requirement.key())
        .required("operator", requirement.operator().value())
        .texts("values", requirement.values())
        .done();
  }
}
