package io.dra4j.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** A table for terminals: columns as wide as their longest cell, two blanks apart. */
public final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  public TextTable(String... header) {
    rows.add(List.of(header));
  }

  /** Adds a row; cells may hold any text. */
  public void row(String... cells) {
    List<String> safe = new ArrayList<>();
    for (String cell : cells) {
      safe.add(Terminal.safe(cell));
    }
    rows.add(safe);
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
