package io.dra4j.cli.topology;

import java.util.Locale;

/**
 * The colours of pictures, on light and on dark pages. Every viewer and printer uses the light
 * colours; the dark ones are for screens with that preference.
 */
public enum Palette {
  PAGE("#ffffff", "#0d1117"),
  TEXT("#000000", "#f0f3f6"),
  DETAIL("#555555", "#adbac7"),
  NUMA_NODE("#f2f2f2", "#1b212a"),
  HOST_BRIDGE("#ffffff", "#0d1117"),
  SWITCH("#eaf2fb", "#14253a"),
  GPU("#e2f2dc", "#17331f"),
  ACCELERATOR("#e6f0d0", "#2b3314"),
  NIC("#fdebd3", "#40290f"),
  OTHER("#ececec", "#2d333b"),
  FRAME("#888888", "#768390"),
  CARD("#444444", "#9aa5b1"),
  TAKEN("#000000", "#f0f3f6"),
  PAIR("#b2182b", "#ff7b72"),
  LINK("#5e3c99", "#b392f0");

  private final String light;
  private final String dark;

  Palette(String light, String dark) {
    this.light = light;
    this.dark = dark;
  }

  /** Returns the attributes that fill shapes and letters with this colour. */
  String fill() {
    return "fill=\"%s\" class=\"%s\"".formatted(light, word());
  }

  /**
   * Returns the attributes that fill a shape with this colour, and draw its border with another.
   */
  String fill(Palette border) {
    return "fill=\"%s\" stroke=\"%s\" class=\"%s %s-line\""
        .formatted(light, border.light, word(), border.word());
  }

  /** Returns the attributes that draw lines with this colour. */
  String line() {
    return "fill=\"none\" stroke=\"%s\" class=\"%s-line\"".formatted(light, word());
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the style sheet. Attributes have the light colours, for viewers without style sheets.
   * Prints use the light colours, and a single printed picture fills one page.
   */
  static String style() {
    StringBuilder css =
        new StringBuilder("<style>\n@media screen and (prefers-color-scheme: dark) {\n");
    for (Palette ink : values()) {
      css.append(
          ".%1$s { fill: %2$s } .%1$s-line { stroke: %2$s }\n".formatted(ink.word(), ink.dark));
    }
    return css.append("}\n@media print {\nsvg:root { width: 100vw; height: 100vh }\n}\n")
        .append("@page { size: landscape; margin: 8mm }\n</style>\n")
        .toString();
  }
}
