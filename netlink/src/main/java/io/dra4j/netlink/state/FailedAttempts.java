package io.dra4j.netlink.state;

import io.dra4j.linux.LinuxException;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What the kernel was asked to make of a link's facts: what it refuses is remembered for the
 * report; what breaks the conversation is thrown.
 */
final class FailedAttempts {

  private final Map<String, Exception> refusals = new HashMap<>();

  /** Something that the kernel may refuse. */
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
        | IllegalArgumentException e) { // the last is what this library cannot say to the kernel
      refusals.put(fact, e);
      return false;
    }
  }

  /** Something that sets values by their names. */
  @FunctionalInterface
  interface Request<T> {
    void send(Map<String, T> values) throws IOException;
  }

  /**
   * Sets values all at once, and one by one where the kernel refuses that: it may have set some by
   * then.
   *
   * @param prefix what the facts begin with, before the names of the values
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

  /** Why the kernel is not asked for something; true. */
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

  /** A difference with the reason that the kernel gave last, if it gave one. */
  Difference explained(Difference one) {
    Exception why = refusals.get(one.fact());
    int errno =
        why instanceof NetlinkException e
            ? e.errno()
            : why instanceof LinuxException e ? e.errno() : 0;
    return why == null ? one : one.because(errno, String.valueOf(why.getMessage()));
  }
}
