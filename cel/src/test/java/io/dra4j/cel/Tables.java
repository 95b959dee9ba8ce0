package io.dra4j.cel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Tables of cases beside the tests. */
final class Tables {

  private Tables() {}

  /** Returns the lines of a table without comments. */
  static List<String> lines(String name) {
    try (InputStream table = Tables.class.getResourceAsStream(name)) {
      return new String(table.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(name, e);
    }
  }
}
