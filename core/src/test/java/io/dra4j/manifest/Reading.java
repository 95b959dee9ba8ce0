package io.dra4j.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dra4j.model.KubernetesObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Reads texts as tests do. */
final class Reading {

  private Reading() {}

  static List<Manifest> manifests(String text) throws ManifestException {
    return ManifestReader.builder()
        .build()
        .read("f.yaml", new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  static List<KubernetesObject> objects(String text) throws ManifestException {
    return manifests(text).stream().map(Manifest::object).toList();
  }

  /** The only object of a text. */
  static <T extends KubernetesObject> T object(Class<T> type, String text)
      throws ManifestException {
    List<KubernetesObject> objects = objects(text);
    if (objects.size() != 1) {
      throw new AssertionError("not one object but " + objects);
    }
    return type.cast(objects.get(0));
  }

  /**
   * The lines that tell what is wrong with a text, with documents instead of lines and columns but
   * where only these are known; none when it can be read.
   */
  static List<String> problems(String text) {
    return problems(text, ManifestLimits.DEFAULT);
  }

  static List<String> problems(String text, ManifestLimits limits) {
    return problems(text.getBytes(UTF_8), limits);
  }

  static List<String> problems(byte[] bytes, ManifestLimits limits) {
    try {
      ManifestReader.builder()
          .limits(limits)
          .build()
          .read("f.yaml", new ByteArrayInputStream(bytes));
      return List.of();
    } catch (ManifestException e) {
      return e.problems().stream()
          .map(
              problem ->
                  problem.object().isEmpty() && problem.path().isEmpty()
                      ? problem
                      : new ManifestException.Problem(
                          problem.origin(),
                          SourcePosition.UNKNOWN,
                          problem.object(),
                          problem.path(),
                          problem.message()))
          .map(Object::toString)
          .toList();
    }
  }

  static List<Path> conformanceCases() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/conformance"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
