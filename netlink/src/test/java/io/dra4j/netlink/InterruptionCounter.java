package io.dra4j.netlink;

import io.dra4j.linux.NativeAccess;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The kernel, and how many of its datagrams said that a dump had changed meanwhile. */
public final class InterruptionCounter implements Transport {

  private final KernelTransport kernel;
  private int interruptions;

  /** In the network namespace of the calling thread. */
  public InterruptionCounter() throws TransportException {
    this.kernel = KernelTransport.open(NativeAccess.system(), NetlinkSocket.ROUTE);
  }

  /** How many so far. */
  public int interruptions() {
    return interruptions;
  }

  @Override
  public int port() {
    return kernel.port();
  }

  @Override
  public void send(ByteBuffer datagram) throws TransportException {
    kernel.send(datagram);
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    ByteBuffer datagram = kernel.receive(nanoseconds).order(ByteOrder.nativeOrder());
    if ((datagram.getShort(6) & MessageFlags.DUMP_INTERRUPTED) != 0) {
      interruptions++;
    }
    return datagram;
  }

  @Override
  public int sender() {
    return kernel.sender();
  }

  @Override
  public void join(int group) throws TransportException {
    kernel.join(group);
  }

  @Override
  public void close() {
    kernel.close();
  }
}
