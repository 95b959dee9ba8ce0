package io.dra4j.netlink;

import io.dra4j.linux.NativeAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Records a conversation in the format of {@link RecordedTransport}, so that a failure on another
 * machine can become a test. {@link NetlinkSocket#record} starts a recording on a socket that is in
 * use. {@link #recording} may be called by any thread at any time.
 *
 * <p>A recording has at most 16 MiB of text. Then it ends with a comment, and the conversation
 * continues without recording.
 */
public final class RecordingTransport implements Transport {

  /** The maximum length in characters; a datagram of 32 KiB takes 72 KiB. */
  private static final int MAX_LENGTH = 16 << 20;

  private final Transport transport;
  private final int maxLength;
  private final StringBuilder recording = new StringBuilder();
  private final AtomicBoolean begun = new AtomicBoolean();
  private boolean stopped;

  private RecordingTransport(Transport transport, int maxLength) {
    this.transport = transport;
    this.maxLength = maxLength;
  }

  /** Begins the recording, on the thread that uses the transport: another would have to wait. */
  private void begin() {
    if (begun.compareAndSet(false, true)) {
      String namespace = transport.namespace();
      append("# netlink" + (namespace.isEmpty() ? "" : ", network namespace " + namespace) + "\n");
    }
  }

  /**
   * {@return a new transport that records a kernel socket in the calling thread's namespace}
   *
   * @param protocol the part of the kernel, for example {@link NetlinkSocket#ROUTE}
   * @throws IOException if the kernel refuses
   */
  public static RecordingTransport open(int protocol) throws IOException {
    return open(NativeAccess.system(), protocol);
  }

  /**
   * {@return a new transport as from {@link #open(int)}, through a given port to the kernel}
   *
   * @param access the port
   * @param protocol the part of the kernel, for example {@link NetlinkSocket#ROUTE}
   * @throws IOException if the kernel refuses
   */
  public static RecordingTransport open(NativeAccess access, int protocol) throws IOException {
    return around(KernelTransport.open(access, protocol));
  }

  /**
   * {@return a transport that forwards everything and records the traffic of another from now on}
   *
   * @param transport the other transport; closed with this one
   */
  public static RecordingTransport around(Transport transport) {
    return around(transport, MAX_LENGTH);
  }

  static RecordingTransport around(Transport transport, int maxLength) {
    return new RecordingTransport(transport, maxLength);
  }

  /** {@return the recording so far} */
  public synchronized String recording() {
    return recording.toString();
  }

  /** Stops recording; the conversation continues. */
  public synchronized void stop() {
    stopped = true;
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  @Override
  public int port() {
    return transport.port();
  }

  @Override
  public void send(ByteBuffer datagram) throws TransportException {
    begin();
    byte[] bytes = bytes(datagram); // the transport may read it to its end
    try {
      transport.send(datagram);
    } catch (TransportException e) {
      write(">! " + e.errno() + " ", bytes);
      throw e;
    }
    write("> ", bytes);
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    begin();
    ByteBuffer datagram;
    try {
      datagram = transport.receive(nanoseconds);
    } catch (TransportException e) {
      append("! " + e.errno() + "\n");
      throw e;
    }
    int sender = transport.sender();
    write(sender == 0 ? "< " : "< @" + Integer.toUnsignedString(sender) + " ", bytes(datagram));
    return datagram;
  }

  private static byte[] bytes(ByteBuffer datagram) {
    byte[] bytes = new byte[datagram.remaining()];
    datagram.duplicate().get(bytes);
    return bytes;
  }

  private synchronized void write(String start, byte[] bytes) {
    if (!stopped) {
      append(start + RecordedTransport.hex(bytes) + "\n");
    }
  }

  private synchronized void append(String line) {
    if (stopped) {
      return;
    }
    if (line.length() > maxLength - recording.length()) {
      stopped = true;
      recording.append("# the recording ends here: it would be longer than " + maxLength + "\n");
      return;
    }
    recording.append(line);
  }

  @Override
  public int sender() {
    return transport.sender();
  }

  @Override
  public String namespace() {
    return transport.namespace();
  }

  @Override
  public void join(int group) throws TransportException {
    transport.join(group);
  }

  @Override
  public void close() {
    transport.close();
  }
}
