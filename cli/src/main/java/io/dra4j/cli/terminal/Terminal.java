package io.dra4j.cli.terminal;

import io.dra4j.common.PrintableText;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * The streams of the program.
 *
 * @param in standard input
 * @param out the writer for answers
 * @param err the writer for problems, a line each
 * @param isUnread whether the reader of the answers has closed the pipe
 * @param width the maximum number of characters in a line of sentences
 */
public record Terminal(
    InputStream in, PrintWriter out, PrintWriter err, BooleanSupplier isUnread, int width) {

  /** Creates a terminal with lines of the default width, {@link WrappedText#DEFAULT_WIDTH}. */
  public Terminal(InputStream in, PrintWriter out, PrintWriter err, BooleanSupplier isUnread) {
    this(in, out, err, isUnread, WrappedText.DEFAULT_WIDTH);
  }

  /** Reports a problem in one line; further lines, such as those of CEL errors, are indented. */
  public void problem(String message) {
    boolean isWarning = message.startsWith("warning:");
    err.println(
        (isWarning ? Colour.WARNING : Colour.NO).error("dra4j:") + " " + safeLines(message));
  }

  /** Prints a line of the answer. */
  public void line(String text) {
    out.println(safeLines(text));
  }

  /** Prints a line of the answer in a colour, unwrapped, so that a search for words finds it. */
  public void line(String text, Colour colour) {
    out.println(colour.output(safeLines(text)));
  }

  /**
   * Prints the short answer as the first line, no wider than the terminal, and in colour on a
   * terminal.
   *
   * @param isYes whether the answer is positive
   */
  public void answer(String text, boolean isYes) {
    for (String line : WrappedText.paragraph(text, width)) {
      out.println((isYes ? Colour.YES : Colour.NO).output(line));
    }
  }

  /** Prints a sentence of the answer, no wider than the terminal. */
  public void paragraph(String text) {
    paragraph("", text);
  }

  /** Prints a sentence of the answer, no wider than the terminal and indented by blanks. */
  public void paragraph(String blanks, String text) {
    WrappedText.paragraph(text, width - blanks.length())
        .forEach(line -> out.println(blanks + line));
  }

  /**
   * Returns several lines as {@link #safe} text. All lines but the first are indented, so that they
   * cannot be confused with a first line.
   */
  public static String safeLines(String text) {
    return text.lines().map(Terminal::safe).collect(Collectors.joining("\n    "));
  }

  /** Returns text that cannot affect the terminal: control and format characters become escapes. */
  public static String safe(String text) {
    return PrintableText.of(text);
  }
}
