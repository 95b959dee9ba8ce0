package io.dra4j.cli.topology;

import java.util.Locale;

/**
 * What pictures are coloured with, on light and on dark pages. Light is what every viewer shows and
 * what is printed; dark is for screens whose user wants it.
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

  /** What fills shapes and letters with it. */
  String fill() {
    return "fill=\"%s\" class=\"%s\"".formatted(light, word());
  }

  /** What fills a shape with it and draws its border with another. */
  String fill(Palette border) {
    return "fill=\"%s\" stroke=\"%s\" class=\"%s %s-line\""
        .formatted(light, border.light, word(), border.word());
  }

  /** What draws lines with it. */
  String line() {
    return "fill=\"none\" stroke=\"%s\" class=\"%s-line\"".formatted(light, word());
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The style sheet. Attributes have the light colours, for viewers without style sheets; paper is
   * never dark, and a picture that is printed by itself fills one page.
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
