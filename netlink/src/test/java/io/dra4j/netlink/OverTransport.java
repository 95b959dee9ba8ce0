package io.dra4j.netlink;

import java.nio.ByteBuffer;

/** Passes everything on to another transport: what a test wants to see of it, it overrides. */
class OverTransport implements Transport {

  private final Transport transport;

  OverTransport(Transport transport) {
    this.transport = transport;
  }

  @Override
  public int port() {
    return transport.port();
  }

  @Override
  public void send(ByteBuffer datagram) throws TransportException {
    transport.send(datagram);
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    return transport.receive(nanoseconds);
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
