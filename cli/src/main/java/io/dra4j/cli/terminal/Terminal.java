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
 * @param out where answers go
 * @param err where problems go, a line each
 * @param isUnread whether the reader of the answers has gone
 * @param width the most characters of a line of sentences
 */
public record Terminal(
    InputStream in, PrintWriter out, PrintWriter err, BooleanSupplier isUnread, int width) {

  /** Streams with lines of the default width, {@link WrappedText#DEFAULT_WIDTH}. */
  public Terminal(InputStream in, PrintWriter out, PrintWriter err, BooleanSupplier isUnread) {
    this(in, out, err, isUnread, WrappedText.DEFAULT_WIDTH);
  }

  /** Reports a problem in one line; what has several, as errors of CEL with a caret, goes on. */
  public void problem(String message) {
    boolean isWarning = message.startsWith("warning:");
    err.println(
        (isWarning ? Colour.WARNING : Colour.NO).error("dra4j:") + " " + safeLines(message));
  }

  /** Prints a line of the answer. */
  public void line(String text) {
    out.println(safeLines(text));
  }

  /** Prints a line of the answer whole, so that a search for its words finds it, in a colour. */
  public void line(String text, Colour colour) {
    out.println(colour.output(safeLines(text)));
  }

  /**
   * Prints the answer in short: the first line, no wider than the terminal, in a colour there.
   *
   * @param isYes whether all that was asked for is so
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

  /** Prints a sentence of the answer, no wider than the terminal and behind blanks. */
  public void paragraph(String blanks, String text) {
    WrappedText.paragraph(text, width - blanks.length())
        .forEach(line -> out.println(blanks + line));
  }

  /** Several lines as {@link #safe} text. The later ones are indented: none passes for a first. */
  public static String safeLines(String text) {
    return text.lines().map(Terminal::safe).collect(Collectors.joining("\n    "));
  }

  /**
   * Text that cannot move the cursor or colour the screen, from any source: control and format
   * characters become escapes.
   */
  public static String safe(String text) {
    return PrintableText.of(text);
  }
}
