package io.dra4j.cli.input;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The places of objects, for problems that are found in the cluster as a whole. Such a problem
 * begins with kind and name of its object, such as {@code ResourceClaim default/train: }.
 */
public final class ObjectPlaces {

  private final List<Manifest> manifests;
  private final Map<String, Origin> places = new HashMap<>(); // filled at the first problem

  public ObjectPlaces(List<Manifest> manifests) {
    this.manifests = manifests;
  }

  /** Returns the problem with file, line and column of its object in front, if they are known. */
  public String placed(String problem) {
    if (places.isEmpty()) {
      manifests.forEach(this::add);
    }
    int end = problem.indexOf(": ");
    Origin place = end < 0 ? null : places.get(problem.substring(0, end));
    return place == null ? problem : (isLive(place) ? place.file() : place) + ": " + problem;
  }

  /**
   * Returns a problem in one line. An object of a live cluster has kind, name and field, but no
   * line, because its file was temporary.
   */
  public static String line(Problem problem) {
    Origin origin = problem.origin();
    return isLive(origin)
        ? new Problem(
                Origin.ofFile(origin.file()),
                SourcePosition.UNKNOWN,
                problem.object(),
                problem.path(),
                problem.message())
            .toString()
        : problem.toString();
  }

  private static boolean isLive(Origin origin) {
    return origin.file().equals(ClusterSource.NAME);
  }

  private void add(Manifest manifest) {
    KubernetesObject object = manifest.object();
    String kind = object instanceof Pod ? "pod" : object.getClass().getSimpleName();
    String name = object.metadata().name();
    places.putIfAbsent(
        kind + " " + object.metadata().namespaceOrDefault() + "/" + name, manifest.origin());
    places.putIfAbsent(kind + " " + name, manifest.origin());
  }
}
