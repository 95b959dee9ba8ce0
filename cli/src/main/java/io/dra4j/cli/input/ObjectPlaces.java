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
 * Where the objects of problems are that show only when a cluster is together. Such a problem
 * begins with kind and name of its object, as {@code ResourceClaim default/train: }.
 */
public final class ObjectPlaces {

  private final List<Manifest> manifests;
  private final Map<String, Origin> places = new HashMap<>(); // filled at the first problem

  public ObjectPlaces(List<Manifest> manifests) {
    this.manifests = manifests;
  }

  /** The problem behind file, line and column of its object, or by itself if they are not known. */
  public String placed(String problem) {
    if (places.isEmpty()) {
      manifests.forEach(this::add);
    }
    int end = problem.indexOf(": ");
    Origin place = end < 0 ? null : places.get(problem.substring(0, end));
    return place == null ? problem : (isLive(place) ? place.file() : place) + ": " + problem;
  }

  /**
   * A problem in one line. An object of a live cluster has kind, name and field, and no line: the
   * file that it was read from is not there any more.
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
