package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.internal.codec.ObjectKind;
import io.dra4j.manifest.internal.codec.SharedValues;
import io.dra4j.manifest.internal.read.Problems;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Shortcuts for reading whole clusters. */
public final class Manifests {

  private Manifests() {}

  /**
   * {@return all objects of known kinds, read from files as one cluster, for example from the
   * output of {@code kubectl get nodes,deviceclasses,resourceslices,resourceclaims -A -o yaml}}
   *
   * @param files YAML or JSON
   * @throws ManifestException if a file cannot be read, or an object occurs twice; all files are
   *     read first
   */
  public static ClusterSnapshot readSnapshot(Path... files) throws ManifestException {
    Objects.requireNonNull(files, "files");
    ManifestReader reader = ManifestReader.builder().withoutSources().build();
    SharedValues shared = new SharedValues();
    List<Manifest> manifests = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    for (Path file : files) {
      try {
        manifests.addAll(reader.readFile(file, shared).manifests());
      } catch (ManifestException e) {
        problems.addAll(e.problems());
      }
    }
    refuse(problems);
    return snapshotOf(manifests);
  }

  /**
   * {@return the objects of manifests, as one cluster}
   *
   * @param manifests the manifests
   * @throws ManifestException if two of them have the same object (kind, namespace and name)
   */
  public static ClusterSnapshot snapshotOf(List<Manifest> manifests) throws ManifestException {
    Objects.requireNonNull(manifests, "manifests");
    Map<ObjectKey, Origin> known = new HashMap<>();
    Problems problems = new Problems();
    for (Manifest manifest : manifests) {
      KubernetesObject object = manifest.object();
      if (object.metadata().name().isEmpty()) {
        continue; // the server would generate a name for each
      }
      Origin first = known.putIfAbsent(ObjectKind.keyOf(object), manifest.origin());
      if (first != null) {
        String message = "the same object is also in " + first;
        problems.add(
            ManifestFinding.DUPLICATE_OBJECT,
            manifest.origin(),
            ObjectKind.displayName(object),
            "",
            message);
      }
    }
    refuse(problems.list(manifests.isEmpty() ? "" : manifests.get(0).origin().file()));
    return ClusterSnapshot.of(manifests.stream().map(Manifest::object).toList());
  }

  private static void refuse(List<Problem> problems) throws ManifestException {
    if (!problems.isEmpty()) {
      throw new ManifestException(problems);
    }
  }
}
