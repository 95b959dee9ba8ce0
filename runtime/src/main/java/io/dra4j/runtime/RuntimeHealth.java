package io.dra4j.runtime;

import java.util.List;

/**
 * The health of a runtime.
 *
 * @param isLive whether the runtime works; if not, the process must be restarted
 * @param isReady whether the runtime can serve claims: it has undone unfinished work of a crash,
 *     every driver has discovered its devices, the store can be written, and it is not stopping
 * @param problems the reasons why it is not live or ready, and other problems for operators; empty
 *     if there are none
 */
public record RuntimeHealth(boolean isLive, boolean isReady, List<String> problems) {

  /** Copies the list. {@inheritDoc} */
  public RuntimeHealth {
    problems = List.copyOf(problems);
  }
}
