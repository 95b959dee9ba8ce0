package io.dra4j.cel.internal.check;

import io.dra4j.common.KubernetesVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The releases of Kubernetes in which functions were introduced, taken from the released modules
 * {@code k8s.io/dynamic-resource-allocation} and {@code k8s.io/apiserver} by {@code
 * cel/src/environments}. Loaded only for releases other than 1.37.
 */
final class Releases {

  /** Never, or not before the last release in the table. */
  private static final Since NEVER = new Since(Optional.empty(), Optional.empty());

  private static final Since ALWAYS =
      new Since(Optional.of(KubernetesVersion.V1_32), Optional.of(KubernetesVersion.V1_32));

  private static final Map<String, Since> TABLE = read();

  /** The first release for stored and for new expressions. */
  private record Since(Optional<KubernetesVersion> stored, Optional<KubernetesVersion> anew) {

    boolean includes(KubernetesVersion version, boolean inStored) {
      return (inStored ? stored : anew).filter(first -> first.compareTo(version) <= 0).isPresent();
    }
  }

  private Releases() {}

  static boolean has(KubernetesVersion version, boolean stored, String function, String overload) {
    return TABLE.getOrDefault(function + " " + overload, ALWAYS).includes(version, stored);
  }

  static boolean hasMultipleAllocations(KubernetesVersion version, boolean stored) {
    return TABLE.getOrDefault(".allowMultipleAllocations field", NEVER).includes(version, stored);
  }

  static boolean hasListAttributes(KubernetesVersion version, boolean stored) {
    return TABLE.getOrDefault(".attributes list", NEVER).includes(version, stored);
  }

  private static Map<String, Since> read() {
    try (InputStream table =
        Objects.requireNonNull(Releases.class.getResourceAsStream("environments.txt"))) {
      Map<String, Since> since = new HashMap<>();
      Stream<String> lines = new String(table.readAllBytes(), StandardCharsets.UTF_8).lines();
      lines
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" ", -1))
          .forEach(
              words ->
                  since.put(
                      words[0] + " " + words[1], new Since(release(words[2]), release(words[3]))));
      return Map.copyOf(since);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a release, or {@code -} for never. */
  private static Optional<KubernetesVersion> release(String text) {
    Optional<KubernetesVersion> release = KubernetesVersion.parse(text);
    if (release.isEmpty() && !text.equals("-")) {
      throw new IllegalStateException("environments.txt: expected a release or -, found " + text);
    }
    return release;
  }
}
