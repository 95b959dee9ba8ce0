package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Transfers datagrams to the kernel and back. One thread at a time sends and receives; any thread
 * may call {@link #close} at any time, which ends a wait. {@link RecordedTransport} replays a
 * recorded conversation, {@link RecordingTransport} records one.
 */
public interface Transport extends AutoCloseable {

  /**
   * Returns the port of this side, which the kernel puts into its answers.
   *
   * @return the port
   */
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

  /**
   * Returns the sender of the datagram that was received last.
   *
   * @return the port of the sender; 0 is the kernel
   */
  int sender();

  /**
   * Returns the name of the network namespace of the other end, for diagnosis.
   *
   * @return for example {@code net:[4026531840]}; empty if it is not known
   */
  default String namespace() {
    return "";
  }

  /**
   * Returns the cookie of the network namespace of the other end ({@code SO_NETNS_COOKIE}), which
   * the kernel does not reuse until a reboot.
   *
   * @return the cookie, of 64 bits without sign; empty for kernels before 5.14
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
