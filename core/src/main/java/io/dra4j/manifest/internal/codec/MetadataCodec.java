package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;

/** {@code metadata} of an object. */
final class MetadataCodec {

  private MetadataCodec() {}

  static ObjectMeta read(FieldReader object) {
    return object.object(
        "metadata",
        in -> {
          checkOthers(in);
          return ObjectMeta.named(in.text("name")).toBuilder()
              .namespace(in.optionalText("namespace"))
              .uid(in.optionalText("uid"))
              .creationTimestamp(in.time("creationTimestamp"))
              .deletionTimestamp(in.time("deletionTimestamp"))
              .labels(in.textMap("labels"))
              .annotations(in.textMap("annotations"))
              .ownerReferences(
                  in.objects(
                      "ownerReferences",
                      owner -> {
                        owner.flag("blockOwnerDeletion");
                        return new OwnerReference(
                            owner.text("apiVersion"),
                            owner.text("kind"),
                            owner.text("name"),
                            owner.text("uid"),
                            owner.flag("controller"));
                      }))
              .build();
        });
  }

  static Json.Fields write(ObjectMeta metadata) {
    return new FieldWriter()
        .text("name", metadata.name())
        .optionalText("namespace", metadata.namespace())
        .optionalText("uid", metadata.uid())
        .optionalText("creationTimestamp", metadata.creationTimestamp())
        .optionalText("deletionTimestamp", metadata.deletionTimestamp())
        .textMap("labels", metadata.labels())
        .textMap("annotations", metadata.annotations())
        .list("ownerReferences", metadata.ownerReferences(), MetadataCodec::writeOwner)
        .done();
  }

  private static Json.Fields writeOwner(OwnerReference owner) {
    return new FieldWriter()
        .required("apiVersion", owner.apiVersion())
        .required("kind", owner.kind())
        .required("name", owner.name())
        .required("uid", owner.uid())
        .flag("controller", owner.controller())
        .done();
  }

  /** Checks fields that only the source document keeps; the API server rejects wrong types too. */
  private static void checkOthers(FieldReader in) {
    in.text("generateName");
    in.text("selfLink");
    in.text("resourceVersion");
    in.integer("generation");
    in.optionalInteger("deletionGracePeriodSeconds");
    in.texts("finalizers");
    in.objects(
        "managedFields",
        entry -> {
          entry.text("manager");
          entry.text("operation");
          entry.text("apiVersion");
          entry.time("time");
          entry.text("fieldsType");
          entry.text("subresource");
          return entry;
        });
  }
}
