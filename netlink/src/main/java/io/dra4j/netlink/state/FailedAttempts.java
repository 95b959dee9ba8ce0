package io.dra4j.netlink.state;

import io.dra4j.linux.LinuxException;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Executes requests for a link's facts. Refusals of the kernel are remembered for the report;
 * failures of the conversation are thrown.
 */
final class FailedAttempts {

  private final Map<String, Exception> refusals = new HashMap<>();

  /** A request that the kernel may refuse. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  boolean attempt(String fact, Step step) throws IOException {
    try {
      step.run();
      refusals.remove(fact);
      return true;
    } catch (NetlinkException.NotFound
        | NetlinkException.Exists
        | NetlinkException.PermissionDenied
        | NetlinkException.Busy
        | NetlinkException.Unsupported
        | NetlinkException.Refused
        | IllegalArgumentException
            e) { // the last one is a request that this library cannot express
      refusals.put(fact, e);
      return false;
    }
  }

  /** A request that sets values by their names. */
  @FunctionalInterface
  interface Request<T> {
    void send(Map<String, T> values) throws IOException;
  }

  /**
   * Sets values all at once, and one by one if the kernel refuses: it may have set some of them.
   *
   * @param prefix the prefix of the facts, before the names of the values
   * @param values in the order in which they are set one by one
   */
  <T> void together(String prefix, Map<String, T> values, Request<T> request) throws IOException {
    if (values.isEmpty() || attempt(prefix + "together", () -> request.send(values))) {
      values.keySet().forEach(one -> refusals.remove(prefix + one));
      return;
    }
    for (Map.Entry<String, T> one : values.entrySet()) {
      attempt(prefix + one.getKey(), () -> request.send(Map.of(one.getKey(), one.getValue())));
    }
  }

  /** Records the reason why the kernel is not requested to set a fact; returns true. */
  boolean refuse(String fact, String why) {
    refusals.put(fact, new IllegalArgumentException(why));
    return true;
  }

  void refused(String fact, Exception why) {
    refusals.put(fact, why);
  }

  boolean isRefused(Object fact) {
    return refusals.containsKey(fact.toString());
  }

  /** Returns a difference with the last reason of the kernel, if there is one. */
  Difference explained(Difference one) {
    Exception why = refusals.get(one.fact());
    int errno =
        why instanceof NetlinkException e
            ? e.errno()
            : why instanceof LinuxException e ? e.errno() : 0;
    return why == null ? one : one.because(errno, String.valueOf(why.getMessage()));
  }
}
