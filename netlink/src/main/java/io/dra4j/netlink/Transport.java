package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Transfers datagrams to the kernel and back. One thread at a time sends and receives; any thread
 * may call {@link #close} at any time, which ends a wait. {@link RecordedTransport} replays a
 * recorded conversation, {@link RecordingTransport} records one.
 */
public interface Transport extends AutoCloseable {

  /** {@return the port of this side, which the kernel puts into its answers} */
  int port();

  /**
   * Sends a datagram.
   *
   * @param datagram the bytes from position to limit
   * @throws TransportException if it cannot be sent
   */
  void send(ByteBuffer datagram) throws TransportException;

  /**
   * Waits for a datagram.
   *
   * @param nanoseconds the longest time to wait; 0 to return at once, negative for no limit
   * @return a buffer from 0 to its limit, valid until the next call
   * @throws TransportException if none came, or one was lost; EINTR if the thread was interrupted
   *     before or while it waited; its interrupt status stays set, and nothing is lost
   */
  ByteBuffer receive(long nanoseconds) throws TransportException;

  /** {@return the port of the sender of the last received datagram; 0 is the kernel} */
  int sender();

  /** {@return the other end's network namespace, as {@code net:[4026531840]}; empty if unknown} */
  default String namespace() {
    return "";
  }

  /**
   * {@return the unsigned 64-bit cookie of the other end's network namespace ({@code
   * SO_NETNS_COOKIE}), which is not reused until a reboot; empty before Linux 5.14}
   */
  default OptionalLong namespaceCookie() {
    return OptionalLong.empty();
  }

  /**
   * Subscribes to the notifications of a group.
   *
   * @param group the number of the group
   * @throws TransportException if there is no such group, or this process lacks the permission
   */
  void join(int group) throws TransportException;

  /** Closes the transport. Further calls do nothing. */
  @Override
  void close();
}
