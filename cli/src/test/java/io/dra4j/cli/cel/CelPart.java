package io.dra4j.cli.cel;

/** A part of an expression: another expression, or the text around it. */
sealed interface CelPart permits CelExpression, CelPart.Text {

  /**
   * Text between the expressions within.
   *
   * @param text the text
   */
  record Text(String text) implements CelPart {}
}
