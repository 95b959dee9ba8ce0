package io.dra4j.testkit.driver;

/** Simulates the end of the process: no driver may catch it. */
final class Crash extends Error {

  private static final long serialVersionUID = 1L;

  Crash() {
    super("the process was killed here", null, false, false);
  }
}
