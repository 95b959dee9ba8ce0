package io.dra4j.netlink;

import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * What carries datagrams to the kernel and back. One thread at a time sends and receives; {@link
 * #close} may come from any thread at any time and ends a wait. {@link RecordedTransport} plays a
 * conversation of former times, {@link RecordingTransport} writes one down.
 */
public interface Transport extends AutoCloseable {

  /**
   * The port of this side, which the kernel puts into its answers.
   *
   * @return the port
   */
  int port();

  /**
   * Sends a datagram.
   *
   * @param datagram from position to limit
   * @throws TransportException if it cannot be sent
   */
  void send(ByteBuffer datagram) throws TransportException;

  /**
   * Waits for a datagram.
   *
   * @param nanoseconds how long at most; 0 not to wait, negative to wait for ever
   * @return a buffer from 0 to its limit, valid until the next call
   * @throws TransportException if none came, or one was lost; EINTR if the thread was interrupted
   *     before or while it waited, which it still is afterwards: nothing is lost then
   */
  ByteBuffer receive(long nanoseconds) throws TransportException;

  /**
   * Who sent the datagram that was received last.
   *
   * @return the port of the sender; 0 is the kernel
   */
  int sender();

  /**
   * Names the network namespace that the other end belongs to, for diagnosis.
   *
   * @return for example {@code net:[4026531840]}; empty if it is not known
   */
  default String namespace() {
    return "";
  }

  /**
   * Returns the number of the network namespace that the other end belongs to, which no other
   * namespace gets as long as the machine runs ({@code SO_NETNS_COOKIE}).
   *
   * @return the number, of 64 bits without sign; empty where the kernel is older than 5.14
   */
  default OptionalLong namespaceCookie() {
    return OptionalLong.empty();
  }

  /**
   * Asks for the notifications of a group.
   *
   * @param group the number of the group
   * @throws TransportException if there is no such group, or this process may not
   */
  void join(int group) throws TransportException;

  /** Closes it. Once is enough; more does no harm. */
  @Override
  void close();
}
