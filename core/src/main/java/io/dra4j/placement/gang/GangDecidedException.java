package io.dra4j.placement.gang;

/** Ends the search for a plan of a gang with an answer. */
final class GangDecidedException extends Exception {

  private static final long serialVersionUID = 1L;

  final transient GangOutcome outcome;

  GangDecidedException(GangOutcome outcome) {
    super(null, null, false, false);
    this.outcome = outcome;
  }
}
