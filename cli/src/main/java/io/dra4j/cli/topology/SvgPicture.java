package io.dra4j.cli.topology;

import io.dra4j.cli.terminal.Terminal;
import java.util.Locale;

/** Writes the shapes of a picture as SVG. All lengths are pixels. */
public final class SvgPicture {

  /** The width of a letter of 12 px monospace text. */
  static final double LETTER = 7.25;

  private final StringBuilder svg = new StringBuilder();

  public SvgPicture(int width, int height) {
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
        font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="12">
        """
            .formatted(width, height));
    svg.append(Palette.style());
    svg.append(
        "<rect width=\"%d\" height=\"%d\" %s/>\n".formatted(width, height, Palette.PAGE.fill()));
  }

  /** Returns the width of a text. */
  public static int widthOf(String text) {
    return (int) Math.ceil(text.length() * LETTER);
  }

  void rectangle(int x, int y, int width, int height, Palette fill, Palette border) {
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" %s/>\n"
            .formatted(x, y, width, height, fill.fill(border)));
  }

  /** Draws a thick border without filling. */
  void border(int x, int y, int width, int height, Palette ink) {
    svg.append(
        "<path d=\"M %d %d h %d v %d h -%d z\" %s stroke-width=\"3\"/>\n"
            .formatted(x, y, width, height, width, ink.line()));
  }

  /** Draws a patch with a mark in it; its colour is the same on light and dark pages. */
  void patch(int x, int y, int width, int height, String colour, String mark) {
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"%s\"/>\n"
            .formatted(x, y, width, height, colour));
    int left = x + (width - (int) Math.round(mark.length() * LETTER)) / 2;
    svg.append(
        "<text x=\"%d\" y=\"%d\" fill=\"%s\" font-weight=\"bold\">%s</text>\n"
            .formatted(left, y + height / 2 + 4, isLight(colour) ? "#000000" : "#ffffff", mark));
  }

  /** Returns whether black is more legible than white on the colour, by luminance (WCAG 2). */
  private static boolean isLight(String colour) {
    int rgb = Integer.parseInt(colour.substring(1), 16);
    double luminance =
        0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
    return luminance > 0.18;
  }

  private static double linear(int part) {
    double share = part / 255.0;
    return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  }

  public void text(int x, int y, String text, Palette ink, boolean bold) {
    if (!text.isEmpty()) {
      svg.append(
          "<text x=\"%d\" y=\"%d\" %s%s>%s</text>\n"
              .formatted(x, y, ink.fill(), bold ? " font-weight=\"bold\"" : "", escape(text)));
    }
  }

  void line(double fromX, double fromY, double toX, double toY, Palette ink, double width) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<path d=\"M %.1f %.1f L %.1f %.1f\" %s stroke-width=\"%.1f\"/>\n",
            fromX,
            fromY,
            toX,
            toY,
            ink.line(),
            width));
  }

  /** Draws a line that hangs below its two ends. */
  @SuppressWarnings("ParameterNumber") // four are the coordinates of its ends, as in line
  void bow(int fromX, int fromY, int toX, int toY, int depth, Palette ink, double width) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<path d=\"M %d %d C %d %d %d %d %d %d\" %s stroke-width=\"%.1f\""
                + " stroke-opacity=\"0.7\" stroke-linecap=\"round\"/>\n",
            fromX,
            fromY,
            fromX,
            fromY + depth,
            toX,
            toY + depth,
            toX,
            toY,
            ink.line(),
            width));
  }

  /** Returns the finished document. */
  public String end() {
    return svg.append("</svg>\n").toString();
  }

  /** Returns text from a host without control characters and markup. */
  private static String escape(String text) {
    return Terminal.safe(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
