package io.dra4j.netlink;

import io.dra4j.linux.NativeAccess;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The kernel, and how many of its datagrams said that a dump had changed meanwhile. */
public final class InterruptionCounter extends OverTransport {

  private int interruptions;

  /** In the network namespace of the calling thread. */
  public InterruptionCounter() throws TransportException {
    super(KernelTransport.open(NativeAccess.system(), NetlinkSocket.ROUTE));
  }

  /** How many so far. */
  public int interruptions() {
    return interruptions;
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    ByteBuffer datagram = super.receive(nanoseconds).order(ByteOrder.nativeOrder());
    if ((datagram.getShort(6) & MessageFlags.DUMP_INTERRUPTED) != 0) {
      interruptions++;
    }
    return datagram;
  }
}
