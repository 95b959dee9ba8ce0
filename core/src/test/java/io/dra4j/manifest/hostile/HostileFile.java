package io.dra4j.manifest.hostile;

import java.io.IOException;
import java.nio.file.Path;

/** Writes one hostile file, for those who want to give it to another program. */
public final class HostileFile {

  private HostileFile() {}

  /**
   * Writes the file.
   *
   * @param args its size in bytes, its path, and a part of the name of its family
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Shape wanted =
        Shapes.all().stream()
            .filter(shape -> shape.name().contains(args[2]))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no family named " + args[2]));
    wanted.write(Path.of(args[1]), Long.parseLong(args[0]));
  }
}
