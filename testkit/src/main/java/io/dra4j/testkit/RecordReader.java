package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/**
 * Reads the text format that {@code e2e/lab/capture} writes: one entry per line, paths relative to
 * the root.
 *
 * <pre>
 *   # comment
 *   l PATH TARGET    symbolic link
 *   d PATH directory
 *   f PATH TEXT      file; \n \t \\ escaped, all other bytes as they are
 *   x PATH HEX       PCI config space, trailing zeros cut off; 256 bytes long, or 4096 when more are given
 * </pre>
 */
final class RecordReader {

  /** The maximum size of a record in bytes; records of large servers have 2 MB. */
  static final int MAX_SIZE = 64 << 20;

  static final int MAX_LINE = 1 << 20;

  private static final int CONFIG_SPACE = 256;
  private static final int EXTENDED_CONFIG_SPACE = 4096;

  private final String source;
  private final HostEntries entries = new HostEntries();
  private int number;

  private RecordReader(String source) {
    this.source = source;
  }

  /** Reads to the end of {@code in} and leaves it open. */
  static CapturedHost read(String source, InputStream in) throws IOException {
    return new RecordReader(source).read(in);
  }

  private CapturedHost read(InputStream in) throws IOException {
    byte[] all = in.readNBytes(MAX_SIZE + 1);
    if (all.length > MAX_SIZE) {
      throw new CaptureException(source, 0, "longer than %d bytes".formatted(MAX_SIZE));
    }
    for (int from = 0; from < all.length; ) {
      number++;
      int to = from;
      while (to < all.length && all[to] != '\n') {
        to++;
      }
      if (to - from > MAX_LINE) {
        throw problem("line is longer than %d bytes".formatted(MAX_LINE));
      }
      // Octets until their meaning is known: a path is UTF-8, a file's content can be any bytes.
      line(new String(all, from, to - from, ISO_8859_1));
      from = to + 1;
    }
    try {
      return new CapturedHost(source, entries.checked());
    } catch (IllegalArgumentException e) {
      throw new CaptureException(source, 0, e);
    }
  }

  private void line(String line) throws CaptureException {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    if (line.length() < 3 || line.charAt(1) != ' ') {
      throw problem("expected KIND PATH ..., found: " + HostEntries.shown(line));
    }
    int blank = line.indexOf(' ', 2);
    String path = utf8(blank < 0 ? line.substring(2) : line.substring(2, blank));
    String rest = blank < 0 ? "" : line.substring(blank + 1);
    if (entries.contains(path)) {
      throw problem("a second entry for " + HostEntries.shown(path));
    }
    HostEntry entry =
        switch (line.charAt(0)) {
          case 'd' -> directory(rest);
          case 'l' -> link(rest);
          case 'f' -> new HostEntry.File(unescaped(rest));
          case 'x' -> HostEntry.File.of(configSpace(rest));
          default ->
              throw problem(
                  "expected a line of kind l, d, f or x, found: " + HostEntries.shown(line));
        };
    try {
      entries.put(path, entry);
    } catch (IllegalArgumentException e) {
      throw new CaptureException(source, number, e);
    }
  }

  private HostEntry directory(String rest) throws CaptureException {
    if (!rest.isEmpty()) {
      throw problem("a directory has a path and nothing else, found: " + HostEntries.shown(rest));
    }
    return HostEntry.Directory.DIRECTORY;
  }

  private HostEntry link(String rest) throws CaptureException {
    if (rest.isEmpty() || rest.indexOf('\0') >= 0) {
      throw problem("a link has a target without NUL");
    }
    return new HostEntry.Link(utf8(rest));
  }

  private String unescaped(String text) throws CaptureException {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    boolean escaped = false;
    for (char c : (text + ' ').toCharArray()) { // the blank shows a backslash at the end
      if (escaped) {
        out.append(
            switch (c) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case '\\' -> '\\';
              default ->
                  throw problem(
                      "expected \\n, \\t or \\\\ after a backslash in: " + HostEntries.shown(text));
            });
      } else if (c != '\\') {
        out.append(c);
      }
      escaped = !escaped && c == '\\';
    }
    out.setLength(out.length() - 1);
    return out.toString();
  }

  private byte[] configSpace(String hex) throws CaptureException {
    if (hex.length() % 2 != 0 || hex.length() > 2 * EXTENDED_CONFIG_SPACE) {
      throw problem(
          "expected an even number of at most %d hex digits, found %d"
              .formatted(2 * EXTENDED_CONFIG_SPACE, hex.length()));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < hex.length(); i += 2) {
      int high = Character.digit(hex.charAt(i), 16);
      int low = Character.digit(hex.charAt(i + 1), 16);
      if (high < 0 || low < 0) {
        throw problem("expected hex digits, found: " + HostEntries.shown(hex.substring(i, i + 2)));
      }
      out.write(high << 4 | low);
    }
    return Arrays.copyOf(
        out.toByteArray(), out.size() > CONFIG_SPACE ? EXTENDED_CONFIG_SPACE : CONFIG_SPACE);
  }

  private String utf8(String octets) throws CaptureException {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets.getBytes(ISO_8859_1))).toString();
    } catch (CharacterCodingException e) {
      throw problem("path or target is not UTF-8: " + HostEntries.shown(octets));
    }
  }

  private CaptureException problem(String message) {
    return new CaptureException(source, number, message);
  }
}
