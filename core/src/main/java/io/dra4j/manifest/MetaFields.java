package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.ObjectMeta;

/** Reads and writes {@code metadata}. */
final class MetaFields {

  private MetaFields() {}

  static ObjectMeta read(Fields object) {
    Fields metadata = object.at("metadata");
    return new ObjectMeta(
        metadata.text("name"),
        metadata.nonEmptyText("namespace"),
        metadata.nonEmptyText("uid"),
        metadata.textMap("labels"),
        metadata.textMap("annotations"));
  }

  static void write(ObjectMeta metadata, ObjectNode object) {
    ObjectNode json = object.putObject("metadata");
    Json.text(json, "name", metadata.name());
    Json.text(json, "namespace", metadata.namespace());
    Json.text(json, "uid", metadata.uid());
    Json.textMap(json, "labels", metadata.labels());
    Json.textMap(json, "annotations", metadata.annotations());
  }
}
