package io.dra4j.manifest.internal.yaml;

import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.InputFile;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.yaml.snakeyaml.reader.StreamReader;

/** Finds the first byte of a file that is not UTF-8; a decoder only reports that there is one. */
public final class Utf8Check {

  /** The message of {@link YamlEvents} that the decoder stopped. */
  static final String NOT_UTF8 = "not UTF-8 text";

  /**
   * The message of {@link YamlEvents} that a character is not allowed in YAML, after its number.
   */
  static final String NOT_YAML = " is not allowed in YAML";

  private int line = 1;
  private int column = 1;

  private Utf8Check() {}

  /** The fault with the place of the exact byte, if bytes that are not text are the problem. */
  public static DocumentException sharpen(DocumentException fault, InputFile file)
      throws IOException {
    if (fault.fault().endsWith(NOT_YAML)) {
      try (Reader text =
          new BufferedReader(new InputStreamReader(file.open(), StandardCharsets.UTF_8))) {
        return new Utf8Check().findCharacter(text, fault);
      }
    } else if (!fault.fault().equals(NOT_UTF8)) {
      return fault;
    }
    try (InputStream in = new BufferedInputStream(file.open(), 1 << 16)) {
      return new Utf8Check().find(in, fault);
    }
  }

  private DocumentException find(InputStream in, DocumentException fault) throws IOException {
    for (int first = in.read(); first >= 0; first = in.read()) {
      int more = following(first);
      boolean bad = more < 0;
      for (int i = 0; i < more && !bad; i++) {
        int next = in.read();
        bad = next < 0 || !continues(first, i, next);
      }
      if (bad) {
        return new DocumentException(
            line, column, "byte 0x%02X is not UTF-8 text".formatted(first));
      }
      if (first == '\n') {
        line++;
        column = 1;
      } else {
        column++;
      }
    }
    return fault;
  }

  private DocumentException findCharacter(Reader text, DocumentException fault) throws IOException {
    for (int c = text.read(); c >= 0; c = text.read()) {
      if (!Character.isSurrogate((char) c) && !StreamReader.isPrintable(c)) {
        return new DocumentException(line, column, fault.fault());
      }
      if (c == '\n') {
        line++;
        column = 1;
      } else if (!Character.isLowSurrogate((char) c)) {
        column++;
      }
    }
    return fault;
  }

  /** The number of bytes after the first of a character (RFC 3629, section 4); -1 if invalid. */
  private static int following(int first) {
    if (first < 0x80) {
      return 0;
    } else if (first < 0xC2 || first > 0xF4) {
      return -1;
    }
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  }

  private static boolean continues(int first, int index, int next) {
    int least = 0x80;
    int most = 0xBF;
    if (index == 0) {
      least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : least;
      most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : most;
    }
    return next >= least && next <= most;
  }
}
