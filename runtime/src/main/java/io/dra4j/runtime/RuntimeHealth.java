package io.dra4j.runtime;

import java.util.List;

/**
 * How a runtime is.
 *
 * @param isLive whether it works at all; if not, restarting the process is the only help
 * @param isReady whether it can serve claims: it has taken back what a crash left, every driver has
 *     discovered its devices, the store can be written, and it is not stopping
 * @param problems what keeps it from being live and ready, and what operators should look at though
 *     it is both; empty if all is well
 */
public record RuntimeHealth(boolean isLive, boolean isReady, List<String> problems) {

  /** Copies the list. {@inheritDoc} */
  public RuntimeHealth {
    problems = List.copyOf(problems);
  }
}
