package io.dra4j.netlink;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer as an event of a flight recording ({@code -XX:StartFlightRecording}).
 * A dump that changed while it was read is repeated, and each attempt is an event.
 */
@Name("io.dra4j.netlink.Request")
@Label("Netlink request")
@Description("A netlink request to the kernel, from sending it to the end of its answer")
@Category({"dra4j", "Netlink"})
@StackTrace(false)
final class RequestEvent extends Event {

  @Label("Operation")
  @Description("The operation, as in the message of a NetlinkException")
  @Nullable String operation;

  @Label("Namespace")
  @Description("The network namespace of the socket, as /proc/self/ns shows it; empty if not known")
  @Nullable String namespace;

  @Label("Error number")
  @Description("errno; 0 if the request was carried out, or failed for another reason")
  int errno;

  @Label("Failure")
  @Description("The reason for the failure; empty if the request was carried out")
  @Nullable String failure;

  @Label("Warning")
  @Description("The warning of the kernel about a request that it carried out; empty for none")
  @Nullable String warning;

  @Label("Replies")
  @Description("The number of messages in the kernel's reply")
  int replies;
}
