package io.dra4j.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StatefulSet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The kinds of object that dra4j knows, with the API versions they are read from. */
@SuppressWarnings("ImmutableEnumChecker") // lists and functions that nobody changes
enum Kind {
  NODE("Node", "v1", false, Node.class, List.of("v1"), NodeFields::read, NodeFields::write),
  POD("Pod", "v1", true, Pod.class, List.of("v1"), PodFields::readPod, PodFields::writePod),
  STATEFUL_SET(
      "StatefulSet",
      "apps/v1",
      true,
      StatefulSet.class,
      List.of("apps/v1"),
      PodFields::readStatefulSet,
      PodFields::writeStatefulSet),
  RESOURCE_SLICE(
      "ResourceSlice",
      Versions.V1,
      false,
      ResourceSlice.class,
      Versions.SINCE_V1BETA1,
      SliceFields::read,
      SliceFields::write),
  DEVICE_CLASS(
      "DeviceClass",
      Versions.V1,
      false,
      DeviceClass.class,
      Versions.SINCE_V1BETA1,
      ClassFields::read,
      ClassFields::write),
  RESOURCE_CLAIM(
      "ResourceClaim",
      Versions.V1,
      true,
      ResourceClaim.class,
      Versions.SINCE_V1BETA1,
      ClaimFields::read,
      ClaimFields::write),
  RESOURCE_CLAIM_TEMPLATE(
      "ResourceClaimTemplate",
      Versions.V1,
      true,
      ResourceClaimTemplate.class,
      Versions.SINCE_V1BETA1,
      ClaimFields::readTemplate,
      ClaimFields::writeTemplate),
  DEVICE_TAINT_RULE(
      "DeviceTaintRule",
      Versions.V1,
      false,
      DeviceTaintRule.class,
      List.of(Versions.V1, "resource.k8s.io/v1beta2", "resource.k8s.io/v1alpha3"),
      TaintFields::readRule,
      TaintFields::writeRule);

  private final String kindName;
  private final String apiVersion;
  private final boolean namespaced;
  private final Class<? extends KubernetesObject> type;
  private final List<String> readable;
  private final Function<Fields, ? extends KubernetesObject> reader;
  private final BiConsumer<KubernetesObject, ObjectNode> writer;

  <T extends KubernetesObject> Kind(
      String kindName,
      String apiVersion,
      boolean namespaced,
      Class<T> type,
      List<String> readable,
      Function<Fields, T> reader,
      BiConsumer<T, ObjectNode> writer) {
    this.kindName = kindName;
    this.apiVersion = apiVersion;
    this.namespaced = namespaced;
    this.type = type;
    this.readable = readable;
    this.reader = reader;
    this.writer = (object, json) -> writer.accept(type.cast(object), json);
  }

  /** The kind with a name in an API group, whatever the version. */
  static Optional<Kind> find(String apiVersion, String kindName) {
    return Arrays.stream(values())
        .filter(kind -> kind.kindName.equals(kindName))
        .filter(kind -> Versions.group(kind.apiVersion).equals(Versions.group(apiVersion)))
        .findFirst();
  }

  static Kind of(KubernetesObject object) {
    return Arrays.stream(values())
        .filter(kind -> kind.type.isInstance(object))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no kind of " + object.getClass()));
  }

  String kindName() {
    return kindName;
  }

  /** The version that is written. */
  String apiVersion() {
    return apiVersion;
  }

  boolean namespaced() {
    return namespaced;
  }

  /** The versions that are read. */
  List<String> readable() {
    return readable;
  }

  KubernetesObject read(Fields fields) {
    return reader.apply(fields);
  }

  void write(KubernetesObject object, ObjectNode json) {
    writer.accept(object, json);
  }

  /**
   * Names of API versions; apart, because enum constants cannot use constants of their own enum.
   */
  private static final class Versions {
    static final String V1 = "resource.k8s.io/v1";
    static final List<String> SINCE_V1BETA1 =
        List.of(V1, "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1");

    private Versions() {}

    static String group(String apiVersion) {
      int slash = apiVersion.indexOf('/');
      return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
  }
}
