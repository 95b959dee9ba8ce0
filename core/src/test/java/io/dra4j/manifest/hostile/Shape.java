package io.dra4j.manifest.hostile;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A hostile file of any size: a beginning, a part that is repeated until the file is as large as
 * wanted, and an end.
 *
 * @param name what it is, for messages
 * @param head how it begins
 * @param unit what is repeated; a {@code №} in it becomes the number of the repetition
 * @param tail how it ends
 * @param charset how it is encoded
 */
record Shape(String name, String head, String unit, String tail, Charset charset) {

  private static final String NUMBER = "№";

  static Shape of(String name, String head, String unit, String tail) {
    return new Shape(name, head, unit, tail, StandardCharsets.UTF_8);
  }

  Shape in(Charset other, String nameOfOther) {
    return new Shape(name + ", " + nameOfOther, head, unit, tail, other);
  }

  void write(Path file, long size) throws IOException {
    byte[] end = tail.getBytes(charset);
    byte[] constant = unit.contains(NUMBER) ? null : unit.getBytes(charset);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      byte[] begin = head.getBytes(charset);
      out.write(begin);
      long written = (long) begin.length + end.length;
      for (int i = 0; written < size; i++) {
        byte[] next =
            constant != null
                ? constant
                : unit.replace(NUMBER, Integer.toString(i, 36)).getBytes(charset);
        if (written + next.length > size) {
          break;
        }
        out.write(next);
        written += next.length;
      }
      out.write(end);
    }
  }
}
