package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.explanation.ExclusionCause;

/**
 * Why a rule does not let a device be placed, as the end of a sentence about one device or several.
 *
 * @param cause what refused the device
 * @param verb how the sentence goes on behind its subject
 * @param rest the sentence from there on, for example {@code in use}
 */
public record Violation(ExclusionCause cause, Verb verb, String rest) {

  /** How a sentence goes on. */
  public enum Verb {
    IS("is", "are"),
    HAS("has", "have"),
    DOES("does", "do"),
    WANTS("wants", "want"),
    DRAWS("draws", "draw"),
    NEEDS("needs", "need"),
    COULD("could", "could");

    private final String ofOne;
    private final String ofMany;

    Verb(String ofOne, String ofMany) {
      this.ofOne = ofOne;
      this.ofMany = ofMany;
    }
  }

  /** Completes "the device". */
  public String reason() {
    return verb.ofOne + " " + rest;
  }

  /** The sentence behind a number of devices: {@code are in use}. */
  public String of(int devices) {
    return (devices == 1 ? verb.ofOne : verb.ofMany) + " " + rest;
  }

  public Violation withRest(String replacement) {
    return new Violation(cause, verb, replacement);
  }
}
