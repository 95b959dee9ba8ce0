package io.dra4j.manifest.hostile;

import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.model.KubernetesObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads any bytes as a manifest: they are objects or a {@link ManifestException}, and objects can
 * be written and are the same when they are read again. Jazzer finds the bytes; the entry point
 * needs nothing of it.
 */
public final class ManifestFuzzer {

  private ManifestFuzzer() {}

  /**
   * The entry point of Jazzer.
   *
   * @param input any bytes
   */
  public static void fuzzerTestOneInput(byte[] input) {
    List<Manifest> read;
    try {
      read = read(input);
    } catch (ManifestException e) {
      return;
    }
    List<KubernetesObject> objects = read.stream().map(Manifest::object).toList();
    for (String text : List.of(ManifestWriter.toJson(read), ManifestWriter.toYaml(read))) {
      List<Manifest> again;
      try {
        again = read(text.getBytes(StandardCharsets.UTF_8));
      } catch (ManifestException e) {
        throw new AssertionError("what was written cannot be read: " + text, e);
      }
      if (!again.stream().map(Manifest::object).toList().equals(objects)) {
        throw new AssertionError("what was written is something else: " + text);
      }
    }
  }

  private static List<Manifest> read(byte[] bytes) throws ManifestException {
    return ManifestReader.builder().build().read("fuzz", new ByteArrayInputStream(bytes));
  }
}
