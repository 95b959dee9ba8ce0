package io.dra4j.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Lines no wider than the terminal: sentences, and tables whose last column is wrapped. */
public final class WrappedText {

  /** The width if there is no terminal, or its width is not known. */
  public static final int DEFAULT_WIDTH = 80;

  private static final int LEAST_WIDTH = 40;

  /** The minimum width of the last column of a table. */
  private static final int LEAST_COLUMN = 24;

  private WrappedText() {}

  /** Returns the width of the terminal from the variable COLUMNS; 80 if it is not set. */
  public static int width() {
    String columns = System.getenv("COLUMNS");
    return columns != null && columns.matches("[0-9]{1,4}")
        ? Math.max(LEAST_WIDTH, Integer.parseInt(columns))
        : DEFAULT_WIDTH;
  }

  /**
   * Breaks a text between words. A word that is wider than a line gets its own line.
   *
   * @param text one line
   * @param width the maximum number of characters in a line
   * @return the lines, the first one as it is, the others without the blanks before them
   */
  public static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /**
   * Breaks a text between words; all lines but the first are indented. Of a text with several
   * lines, such as CEL errors with a caret, only the first line is broken.
   */
  public static List<String> paragraph(String text, int width) {
    List<String> indented = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (!indented.isEmpty()) {
        indented.add("    " + Terminal.safe(line));
        continue;
      }
      for (String part : lines(Terminal.safe(line), width - 2)) {
        indented.add(indented.isEmpty() ? part : "  " + part);
      }
    }
    return indented;
  }

  /**
   * {@return the lines of a table; columns are as wide as their longest cell, the last is wrapped}
   *
   * @param rows the rows, the header first, all of equal length
   * @param width the maximum number of characters in a line
   */
  public static List<String> table(List<List<String>> rows, int width) {
    int last = rows.get(0).size() - 1;
    int[] widths = new int[last];
    for (List<String> row : rows) {
      for (int i = 0; i < last; i++) {
        widths[i] = Math.max(widths[i], Terminal.safe(row.get(i)).length() + 2);
      }
    }
    int before = 0;
    for (int columns : widths) {
      before += columns;
    }
    int room = Math.max(LEAST_COLUMN, width - before);
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < last; i++) {
        String cell = Terminal.safe(row.get(i));
        line.append(cell).append(" ".repeat(widths[i] - cell.length()));
      }
      for (String part : lines(Terminal.safe(row.get(last)), room)) {
        lines.add(line.append(part).toString().stripTrailing());
        line.setLength(0);
        line.append(" ".repeat(before));
      }
    }
    return lines;
  }
}
