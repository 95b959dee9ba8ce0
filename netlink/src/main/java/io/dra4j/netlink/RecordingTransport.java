package io.dra4j.netlink;

import io.dra4j.linux.NativeAccess;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes down a conversation for {@link RecordedTransport}. */
public final class RecordingTransport implements Transport {

  private final Transport transport;
  private final StringBuilder recording = new StringBuilder();

  private RecordingTransport(Transport transport) {
    this.transport = transport;
  }

  /**
   * Writes down what goes to the kernel and back.
   *
   * @param protocol which part of the kernel, for example {@link NetlinkSocket#ROUTE}
   * @return a transport in the network namespace of the calling thread
   * @throws IOException if the kernel refuses
   */
  public static RecordingTransport open(int protocol) throws IOException {
    return open(NativeAccess.system(), protocol);
  }

  /**
   * Writes down what goes to the kernel and back through a given port to it.
   *
   * @param access the port
   * @param protocol which part of the kernel, for example {@link NetlinkSocket#ROUTE}
   * @return a transport in the network namespace of the calling thread
   * @throws IOException if the kernel refuses
   */
  public static RecordingTransport open(NativeAccess access, int protocol) throws IOException {
    return new RecordingTransport(KernelTransport.open(access, protocol));
  }

  /**
   * What has been said.
   *
   * @return the recording so far
   */
  public String recording() {
    return recording.toString();
  }

  @Override
  public int port() {
    return transport.port();
  }

  @Override
  public void send(ByteBuffer datagram) throws TransportException {
    write("> ", datagram);
    transport.send(datagram);
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    ByteBuffer datagram;
    try {
      datagram = transport.receive(nanoseconds);
    } catch (TransportException e) {
      recording.append("! ").append(e.errno()).append('\n');
      throw e;
    }
    write(transport.sender() == 0 ? "< " : "< @" + transport.sender() + " ", datagram);
    return datagram;
  }

  private void write(String start, ByteBuffer datagram) {
    byte[] bytes = new byte[datagram.remaining()];
    datagram.duplicate().get(bytes);
    recording.append(start).append(RecordedTransport.hex(bytes)).append('\n');
  }

  @Override
  public int sender() {
    return transport.sender();
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
