package io.dra4j.manifest.internal.codec;

import io.dra4j.common.PrintableText;
import io.dra4j.common.SimilarNames;
import io.dra4j.manifest.Json;
import io.dra4j.model.CompositePodGroup;
import io.dra4j.model.DaemonSet;
import io.dra4j.model.Deployment;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.Job;
import io.dra4j.model.JobSet;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.LeaderWorkerSet;
import io.dra4j.model.MPIJob;
import io.dra4j.model.Node;
import io.dra4j.model.ObjectKey;
import io.dra4j.model.Pod;
import io.dra4j.model.PodGroup;
import io.dra4j.model.ReplicaSet;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimTemplate;
import io.dra4j.model.ResourceQuota;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StatefulSet;
import io.dra4j.model.Workload;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of object that can be read and written.
 *
 * @param type its record; the simple name is the kind
 * @param group its API group; empty for the core group
 * @param versions the versions that are read; the first one is written
 * @param isNamespaced whether its objects have a namespace
 * @param reader creates an object from the fields of version v1
 * @param writer returns the fields of version v1, without {@code apiVersion} and {@code kind}
 */
public record ObjectKind<T extends KubernetesObject>(
    Class<T> type,
    String group,
    List<String> versions,
    boolean isNamespaced,
    Function<FieldReader, T> reader,
    Function<T, Json.Fields> writer) {

  private static final String DRA_GROUP = "resource.k8s.io";
  private static final String SCHEDULING_GROUP = "scheduling.k8s.io";
  private static final List<String> DRA_VERSIONS = List.of("v1", "v1beta2", "v1beta1");
  private static final List<String> V1 = List.of("v1");

  // DeviceTaintRule was added late to v1beta2 and v1, and never to v1beta1.
  private static final List<String> TAINT_RULE_VERSIONS = List.of("v1", "v1beta2", "v1alpha3");

  // v1alpha2 is of Kubernetes 1.36, the others are of 1.37. The fields that are read are the same
  // in all of them.
  private static final List<String> POD_GROUP_VERSIONS = List.of("v1beta1", "v1alpha3", "v1alpha2");

  // v1alpha3 is of Kubernetes 1.37, v1beta1 of 1.38.
  private static final List<String> COMPOSITE_VERSIONS = List.of("v1beta1", "v1alpha3");

  /** Kinds of Kubernetes whose names are similar to kinds that can be read. */
  private static final Set<String> OTHERS = Set.of("CronJob", "PodTemplate");

  private static final List<ObjectKind<?>> KINDS =
      List.of(
          dra(DeviceClass.class, false, DeviceClassCodec::read, DeviceClassCodec::write),
          dra(ResourceSlice.class, false, SliceCodec::read, SliceCodec::write),
          dra(ResourceClaim.class, true, ClaimCodec::read, ClaimCodec::write),
          dra(
              ResourceClaimTemplate.class,
              true,
              ClaimCodec::readTemplate,
              ClaimCodec::writeTemplate),
          new ObjectKind<>(
              DeviceTaintRule.class,
              DRA_GROUP,
              TAINT_RULE_VERSIONS,
              false,
              TaintCodec::readRule,
              TaintCodec::writeRule),
          new ObjectKind<>(
              Node.class, "", V1, false, WorkloadCodec::readNode, WorkloadCodec::writeNode),
          new ObjectKind<>(
              Pod.class, "", V1, true, WorkloadCodec::readPod, WorkloadCodec::writePod),
          new ObjectKind<>(ResourceQuota.class, "", V1, true, QuotaCodec::read, QuotaCodec::write),
          apps(StatefulSet.class, WorkloadCodec::readStatefulSet, WorkloadCodec::writeStatefulSet),
          apps(Deployment.class, ReplicaCodec::readDeployment, ReplicaCodec::writeDeployment),
          apps(ReplicaSet.class, ReplicaCodec::readReplicaSet, ReplicaCodec::writeReplicaSet),
          apps(DaemonSet.class, ReplicaCodec::readDaemonSet, ReplicaCodec::writeDaemonSet),
          new ObjectKind<>(
              Job.class, "batch", V1, true, WorkloadCodec::readJob, WorkloadCodec::writeJob),
          new ObjectKind<>(
              MPIJob.class,
              "kubeflow.org",
              List.of("v2beta1"),
              true,
              JobSetCodec::readMpiJob,
              JobSetCodec::writeMpiJob),
          new ObjectKind<>(
              JobSet.class,
              "jobset.x-k8s.io",
              List.of("v1alpha2"),
              true,
              JobSetCodec::readJobSet,
              JobSetCodec::writeJobSet),
          new ObjectKind<>(
              LeaderWorkerSet.class,
              "leaderworkerset.x-k8s.io",
              V1,
              true,
              JobSetCodec::readLeaderWorkerSet,
              JobSetCodec::writeLeaderWorkerSet),
          new ObjectKind<>(
              PodGroup.class,
              SCHEDULING_GROUP,
              POD_GROUP_VERSIONS,
              true,
              PodGroupCodec::readPodGroup,
              PodGroupCodec::writePodGroup),
          new ObjectKind<>(
              CompositePodGroup.class,
              SCHEDULING_GROUP,
              COMPOSITE_VERSIONS,
              true,
              PodGroupCodec::readComposite,
              PodGroupCodec::writeComposite),
          new ObjectKind<>(
              Workload.class,
              SCHEDULING_GROUP,
              POD_GROUP_VERSIONS,
              true,
              PodGroupCodec::readWorkload,
              PodGroupCodec::writeWorkload));

  private static <T extends KubernetesObject> ObjectKind<T> dra(
      Class<T> type,
      boolean isNamespaced,
      Function<FieldReader, T> reader,
      Function<T, Json.Fields> writer) {
    return new ObjectKind<>(type, DRA_GROUP, DRA_VERSIONS, isNamespaced, reader, writer);
  }

  private static <T extends KubernetesObject> ObjectKind<T> apps(
      Class<T> type, Function<FieldReader, T> reader, Function<T, Json.Fields> writer) {
    return new ObjectKind<>(type, "apps", V1, true, reader, writer);
  }

  /** The kind of this name, or {@code null} if this library does not read it. */
  static @Nullable public ObjectKind<?> of(String apiVersion, String kind) {
    for (ObjectKind<?> known : KINDS) {
      if (known.kind().equals(kind) && known.claims(apiVersion)) {
        return known;
      }
    }
    return null;
  }

  /** Returns whether objects are only passed to inspectors: namespaces, for their labels. */
  public static boolean isInspectedOnly(String apiVersion, String kind) {
    return apiVersion.equals("v1") && kind.equals("Namespace");
  }

  /** The API versions in which a kind can be read; empty for an unknown kind. */
  public static String apiVersionsOf(String kind) {
    for (ObjectKind<?> known : KINDS) {
      if (known.kind().equals(kind)) {
        return String.join(", ", known.apiVersions());
      }
    }
    return "";
  }

  /** Returns whether an API version is one of DRA's own group. */
  public static boolean isDra(String apiVersion) {
    return apiVersion.equals(DRA_GROUP) || apiVersion.startsWith(DRA_GROUP + "/");
  }

  /** The kinds that an unreadable kind may mean; empty for a kind of an unrelated group. */
  public static List<String> kindsMeantBy(String apiVersion, String kind) {
    if (kind.isEmpty() || OTHERS.contains(kind)) {
      return List.of();
    }
    return apiVersionsOf(kind).isEmpty()
        ? SimilarNames.of(kind, kindsNear(apiVersion))
        : List.of(kind);
  }

  private static List<String> kindsNear(String apiVersion) {
    String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
    return KINDS.stream()
        .filter(
            known ->
                known.group.equals(group)
                    || SimilarNames.of(group, List.of(known.group)).size() == 1)
        .map(ObjectKind::kind)
        .toList();
  }

  public static ObjectKind<?> of(KubernetesObject object) {
    for (ObjectKind<?> known : KINDS) {
      if (known.type.isInstance(object)) {
        return known;
      }
    }
    throw new IllegalArgumentException("no kind for " + object.getClass());
  }

  /** The key of an object, unique in a cluster. */
  public static ObjectKey keyOf(KubernetesObject object) {
    return of(object).keyOf(object.metadata().namespaceOrDefault(), object.metadata().name());
  }

  public ObjectKey keyOf(String namespace, String name) {
    return new ObjectKey(kind(), isNamespaced ? namespace : "", name);
  }

  /** The name of an object in messages. */
  public static String displayName(KubernetesObject object) {
    ObjectKind<?> kind = of(object);
    String namespace = kind.isNamespaced ? object.metadata().namespace() : null;
    return kind.displayName(namespace == null ? "" : namespace, object.metadata().name());
  }

  public String displayName(String namespace, String name) {
    String prefix = isNamespaced && !namespace.isEmpty() ? namespace + "/" : "";
    return kind() + " \"" + PrintableText.abbreviate(prefix + name) + '"';
  }

  public String kind() {
    return type.getSimpleName();
  }

  /** The API version in which objects are written. */
  public String apiVersion() {
    return apiVersion(versions.get(0));
  }

  /**
   * The API version for writing an object that was read in another version. PodGroups keep their
   * version: the versions differ in fields that are not read here and are kept as they are written.
   */
  public String writtenAs(String readVersion) {
    return group.equals(DRA_GROUP) ? apiVersion() : readVersion;
  }

  /** The API versions in which objects are read. */
  public List<String> apiVersions() {
    return versions.stream().map(this::apiVersion).toList();
  }

  public Json.Fields write(KubernetesObject object) {
    return writer.apply(type.cast(object));
  }

  private String apiVersion(String version) {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /**
   * Whether an unknown version of this kind is an error. It is for a group whose versions change:
   * without the object, results would be wrong. In other groups, it is another kind.
   */
  private boolean claims(String apiVersion) {
    boolean comesAndGoes = group.equals(DRA_GROUP) || group.equals(SCHEDULING_GROUP);
    return comesAndGoes
        ? apiVersion.equals(group) || apiVersion.startsWith(group + "/")
        : apiVersion.equals(apiVersion());
  }
}
