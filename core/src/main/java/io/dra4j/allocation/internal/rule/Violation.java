package io.dra4j.allocation.internal.rule;

import io.dra4j.allocation.explanation.ExclusionCause;

/**
 * The reason why a rule refuses a device, as the end of a sentence about one device or several.
 *
 * @param cause the rule that refused the device
 * @param verb the verb of the sentence
 * @param rest the rest of the sentence, for example {@code in use}
 */
public record Violation(ExclusionCause cause, Verb verb, String rest) {

  /** The verb of the sentence. */
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

  /** Returns the sentence for one device, which completes "the device". */
  public String reason() {
    return verb.ofOne + " " + rest;
  }

  /** Returns the sentence after a number of devices: {@code are in use}. */
  public String of(int devices) {
    return (devices == 1 ? verb.ofOne : verb.ofMany) + " " + rest;
  }

  public Violation withRest(String replacement) {
    return new Violation(cause, verb, replacement);
  }
}
