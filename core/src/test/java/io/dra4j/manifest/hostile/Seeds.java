package io.dra4j.manifest.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Manifests from which the fuzzer starts. */
public final class Seeds {

  private static final int SMALL = 300;

  private Seeds() {}

  /**
   * Writes each to a file, for Jazzer: a small file of each hostile family, and a good one.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    Files.write(directory.resolve("good"), Mutants.GOOD.getBytes(StandardCharsets.UTF_8));
    int number = 0;
    for (Shape shape : Shapes.all()) {
      Path file = directory.resolve("shape-" + number++);
      shape.write(file, SMALL);
    }
  }
}
