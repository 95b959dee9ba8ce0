package io.dra4j.netlink;

import org.jspecify.annotations.Nullable;

/**
 * Records requests as events of Java Flight Recorder. A separate class, so that a runtime without
 * module {@code jdk.jfr} never loads {@link RequestEvent}.
 */
final class FlightRecording {

  private static final boolean POSSIBLE = isPossible();

  private FlightRecording() {}

  private static boolean isPossible() {
    try {
      Class.forName("jdk.jfr.Event", false, FlightRecording.class.getClassLoader());
      // On the module path the class may exist although its module is not read.
      Module ours = FlightRecording.class.getModule();
      return !ours.isNamed()
          || ModuleLayer.boot().findModule("jdk.jfr").filter(ours::canRead).isPresent();
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Starts the clock of a request; null if nothing is recorded, which costs nothing. */
  static @Nullable RequestEvent begin() {
    if (!POSSIBLE) {
      return null;
    }
    RequestEvent event = new RequestEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  /** Records the outcome of a request, if a recording requests events of that duration. */
  static void end(
      RequestEvent event,
      String operation,
      String namespace,
      @Nullable Throwable failure,
      @Nullable NetlinkWarning warning,
      int replies) {
    event.end();
    if (event.shouldCommit()) {
      event.operation = operation;
      event.namespace = namespace;
      event.errno = failure instanceof NetlinkException e ? e.errno() : 0;
      event.failure = failure == null ? "" : failure.toString();
      event.warning = warning == null ? "" : warning.text();
      event.replies = replies;
      event.commit();
    }
  }
}
