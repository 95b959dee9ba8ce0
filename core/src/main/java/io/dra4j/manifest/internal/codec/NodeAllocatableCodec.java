package io.dra4j.manifest.internal.codec;

import io.dra4j.manifest.Json;
import io.dra4j.model.NodeAllocatableClaimStatus;
import io.dra4j.model.NodeAllocatableResource;
import io.dra4j.model.NodeAllocatableResource.Overhead;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The resources of its node that a device consumes, or a claim's devices consume for a pod. */
final class NodeAllocatableCodec {

  private NodeAllocatableCodec() {}

  static NodeAllocatableResource read(FieldReader in) {
    return new NodeAllocatableResource(
        in.optionalObject(
            "mapping",
            mapping ->
                new NodeAllocatableResource.Mapping(
                    mapping.optionalText("capacityKey"),
                    mapping.optionalQuantity("capacityMultiplier"),
                    mapping.optionalQuantity("deviceMultiplier"))),
        in.optionalObject("overhead", NodeAllocatableCodec::readOverhead));
  }

  static Json.Fields write(NodeAllocatableResource resource) {
    return new FieldWriter()
        .optional(
            "mapping",
            resource.mapping(),
            mapping ->
                new FieldWriter()
                    .optionalText("capacityKey", mapping.capacityKey())
                    .quantity("capacityMultiplier", mapping.capacityMultiplier())
                    .quantity("deviceMultiplier", mapping.deviceMultiplier())
                    .done())
        .optional(
            "overhead", resource.overhead(), overhead -> writeOverhead(new FieldWriter(), overhead))
        .done();
  }

  static NodeAllocatableClaimStatus readStatus(FieldReader in) {
    return new NodeAllocatableClaimStatus(
        in.text("resourceClaimName"),
        in.texts("containers"),
        byName(in, "mapping", resource -> resource.quantity("quantity")),
        byName(in, "overhead", NodeAllocatableCodec::readOverhead));
  }

  static Json.Fields writeStatus(NodeAllocatableClaimStatus status) {
    return new FieldWriter()
        .required("resourceClaimName", status.resourceClaimName())
        .texts("containers", status.containers())
        .list(
            "mapping",
            List.copyOf(status.mapping().entrySet()),
            entry ->
                new FieldWriter()
                    .required("name", entry.getKey())
                    .required("quantity", entry.getValue())
                    .done())
        .list(
            "overhead",
            List.copyOf(status.overhead().entrySet()),
            entry ->
                writeOverhead(new FieldWriter().required("name", entry.getKey()), entry.getValue()))
        .done();
  }

  private static Overhead readOverhead(FieldReader in) {
    return new Overhead(in.optionalQuantity("perPod"), in.optionalQuantity("perContainer"));
  }

  private static Json.Fields writeOverhead(FieldWriter out, Overhead overhead) {
    return out.quantity("perPod", overhead.perPod())
        .quantity("perContainer", overhead.perContainer())
        .done();
  }

  /** A list whose key is the name of its items; the API server accepts each name once. */
  private static <T> Map<String, T> byName(
      FieldReader in, String list, Function<FieldReader, T> read) {
    Map<String, T> found = new LinkedHashMap<>();
    in.objects(
        list,
        item -> {
          found.put(item.text("name"), read.apply(item));
          return item;
        });
    return found;
  }
}
