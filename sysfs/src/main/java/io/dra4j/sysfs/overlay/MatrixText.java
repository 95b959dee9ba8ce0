package io.dra4j.sysfs.overlay;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a table of paths that people copied from a terminal into issues, mails or Markdown into
 * cells, and removes colours, quote marks, emphasis and rules.
 */
final class MatrixText {

  private static final int MAX_BYTES = 1 << 20;

  /**
   * Text that a terminal does not show: commands, and characters without width. Commands of colours
   * are recognized even if the escape character was lost or is written as two characters.
   */
  private static final Pattern ESCAPES =
      Pattern.compile(
          "\u001b\\[[0-9:;?]*[A-Za-z]|\u001b[()][0-9A-Z]"
              + "|(?:\\^\\[|\u241b)?\\[[0-9;]{1,16}m|[\u200b-\u200d\ufeff]");

  private static final Pattern QUOTE_MARKS = Pattern.compile("^\\s*(?:(?:[>#]|&gt;)\\s?){1,16}");

  /** The name of the pod and the time that kubectl logs writes before each line. */
  private static final Pattern LOG_PREFIX =
      Pattern.compile(
          "^(?:\\[pod/[^\\]\\s]{1,512}\\] ?)?"
              + "(?:\\d{4}-\\d\\d-\\d\\dT[0-9:.]{1,32}(?:Z|[+-]\\d\\d:\\d\\d) ?)?");

  private static final Pattern EMPHASIS = Pattern.compile("[*`]");
  private static final Pattern RULE = Pattern.compile("[\\s|+:=─┼-]*");

  /** Words that a lost tab joins; a name such as rdmap79s0 is none of them. */
  private static final String WORD =
      "(?:(?:GPU|NIC|mlx[45]_(?:bond_)?|hfi1_)[0-9]+|PIX|PXB|PHB|NODE|SYS|SOC|NV[0-9]+|X|CPU|NUMA)";

  private static final Pattern GLUED = Pattern.compile(WORD + "{2,512}+");
  private static final Pattern ONE_WORD = Pattern.compile(WORD);

  /** Words of the table that were converted to lower case. */
  private static final Pattern SMALL_WORD =
      Pattern.compile("(?:gpu|nic)[0-9]+|pix|pxb|phb|node|sys|soc|nv[0-9]+|x");

  private final List<String> lines;

  private MatrixText(List<String> lines) {
    this.lines = lines;
  }

  /** The separator between the cells of a line. */
  enum Separator {
    BLANK,
    COMMA,
    SEMICOLON, // of spreadsheets where the comma is the decimal separator
    BAR;

    static Separator of(String line) {
      if (line.contains("|")) {
        return BAR;
      }
      return line.contains(";") ? SEMICOLON : line.contains(",") ? COMMA : BLANK;
    }

    private char mark() {
      return switch (this) {
        case BLANK -> ' ';
        case COMMA -> ',';
        case SEMICOLON -> ';';
        case BAR -> '|';
      };
    }
  }

  static MatrixText read(InputStream in, String origin) throws OverlayException, IOException {
    byte[] bytes = in.readNBytes(MAX_BYTES + 1);
    if (bytes.length > MAX_BYTES) {
      throw new OverlayException(origin, 0, "is longer than " + MAX_BYTES + " bytes");
    }
    return new MatrixText(Utf8Text.of(bytes, origin).lines().map(MatrixText::clean).toList());
  }

  private static String clean(String line) {
    String text = ESCAPES.matcher(line).replaceAll("").replace('\u00a0', ' ').replace('│', '|');
    text = QUOTE_MARKS.matcher(LOG_PREFIX.matcher(text).replaceFirst("")).replaceFirst("");
    text = EMPHASIS.matcher(text).replaceAll("");
    if (text.startsWith("|") && text.lastIndexOf('|') == 0) {
      text = text.substring(1); // also a quote mark: a row has a bar for each cell
    }
    text = text.replace("\\_", "_"); // as Markdown escapes it
    return RULE.matcher(text).matches() ? "" : text;
  }

  /** Returns the lines; lines that only draw rules are empty. */
  List<String> lines() {
    return lines;
  }

  /**
   * Returns the cells of a line. Commas and bars keep empty cells; blanks do not. Joined words are
   * split into cells; lower-case words of the table get their capitals back.
   */
  static List<String> cells(String line, Separator separator) {
    List<String> cells = new ArrayList<>();
    for (String cell : split(line, separator)) {
      if (GLUED.matcher(cell).matches()) {
        Matcher word = ONE_WORD.matcher(cell);
        while (word.find()) {
          cells.add(word.group());
        }
      } else {
        cells.add(SMALL_WORD.matcher(cell).matches() ? cell.toUpperCase(Locale.ROOT) : cell);
      }
    }
    return cells;
  }

  private static List<String> split(String line, Separator separator) {
    String text = line.trim();
    if (separator == Separator.BLANK) {
      return text.isEmpty() ? List.of() : List.of(text.split("\\s+", -1));
    }
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    char end = separator.mark();
    boolean quoted = false; // spreadsheets quote cells that have commas
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character == '"') {
        quoted = !quoted;
      } else if (character == end && !quoted) {
        cells.add(cell.toString().trim());
        cell.setLength(0);
      } else {
        cell.append(character);
      }
    }
    cells.add(cell.toString().trim());
    if (separator == Separator.BAR) { // bars at both ends of a line are its borders
      boolean opens = text.startsWith("|");
      boolean closes = text.length() > 1 && text.endsWith("|");
      return cells.subList(opens ? 1 : 0, cells.size() - (closes ? 1 : 0));
    }
    return cells;
  }
}
