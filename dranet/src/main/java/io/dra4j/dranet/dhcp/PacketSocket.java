package io.dra4j.dranet.dhcp;

import io.dra4j.linux.Architecture;
import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.linux.StructureLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A socket for whole Ethernet frames on one interface ({@code packet(7)}). A filter in the kernel
 * passes only packets for the port of DHCP clients, so that other traffic costs nothing. Only one
 * thread may use it at a time.
 */
final class PacketSocket implements AutoCloseable {

  private static final int AF_PACKET = 17;
  private static final int SOCK_RAW = 3;
  private static final int POLLIN = 1;
  private static final int SOL_SOCKET = 1;
  private static final int SO_ATTACH_FILTER = 26;
  private static final int SOCKADDR_LL_SIZE = 20;
  private static final int SOCK_FPROG_SIZE = 16;
  private static final int TYPE_IP = 0x0800;

  /** The interval, in milliseconds, at which the thread checks whether it was interrupted. */
  private static final int SLICE = 100;

  /** {@code struct sock_filter}: code, jump if true, jump if false, value. */
  private static final int[][] FOR_CLIENTS = {
    {0x28, 0, 0, 12}, // the type of the frame
    {0x15, 0, 8, TYPE_IP},
    {0x30, 0, 0, 23}, // the protocol of the packet
    {0x15, 0, 6, 17},
    {0x28, 0, 0, 20}, // the offset of the fragment
    {0x45, 4, 0, 0x1fff},
    {0xb1, 0, 0, 14}, // the length of the packet's header
    {0x48, 0, 0, 16}, // the destination port of the datagram
    {0x15, 0, 1, DhcpClient.CLIENT_PORT},
    {0x06, 0, 0, 0x40000},
    {0x06, 0, 0, 0},
  };

  private static final int MEMORY = 2048;

  private final FileDescriptor socket;
  private final NativeAccess access;
  private final ByteBuffer memory =
      ByteBuffer.allocateDirect(MEMORY).order(ByteOrder.nativeOrder());

  private PacketSocket(FileDescriptor socket) {
    this.socket = socket;
    this.access = socket.access();
  }

  /** Opens a socket on an interface. The kernel refuses it with EPERM without CAP_NET_RAW. */
  static PacketSocket open(NetworkNamespace namespace, int index) throws IOException {
    NativeAccess access = namespace.access();
    int flags = Architecture.O_CLOEXEC | Architecture.O_NONBLOCK;
    FileDescriptor open =
        namespace.call(
            () -> // it receives nothing before it is bound, since it names no protocol
            new FileDescriptor(
                    access,
                    LinuxException.check(
                        access.socket(AF_PACKET, SOCK_RAW | flags, 0), "open a packet socket")));
    PacketSocket socket = new PacketSocket(open);
    try {
      socket.filter();
      socket.bind(index);
      return socket;
    } catch (IOException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  private void filter() throws LinuxException {
    memory.clear();
    memory.putShort(0, (short) FOR_CLIENTS.length);
    memory.putLong(8, access.address(memory) + SOCK_FPROG_SIZE);
    memory.position(SOCK_FPROG_SIZE);
    for (int[] one : FOR_CLIENTS) {
      memory.putShort((short) one[0]).put((byte) one[1]).put((byte) one[2]).putInt(one[3]);
    }
    try (FileDescriptor.Hold held = socket.hold()) {
      LinuxException.check(
          access.setOption(
              held.number(), SOL_SOCKET, SO_ATTACH_FILTER, access.address(memory), SOCK_FPROG_SIZE),
          "filter a packet socket");
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  private void bind(int index) throws LinuxException {
    memory.clear();
    memory.putLong(0, 0).putLong(8, 0).putInt(16, 0).putShort(0, (short) AF_PACKET);
    memory.order(ByteOrder.BIG_ENDIAN).putShort(2, (short) TYPE_IP);
    memory.order(ByteOrder.nativeOrder()).putInt(4, index);
    try (FileDescriptor.Hold held = socket.hold()) {
      LinuxException.check(
          access.bind(held.number(), access.address(memory), SOCKADDR_LL_SIZE),
          "bind a packet socket to interface " + index);
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /** Sends a frame. The kernel refuses it with ENETDOWN if the interface is down. */
  void send(byte[] frame) throws LinuxException {
    memory.clear().put(frame);
    try (FileDescriptor.Hold held = socket.hold()) {
      int sent;
      do {
        sent = access.send(held.number(), access.address(memory), frame.length, 0);
      } while (sent == -Errno.EINTR.code());
      LinuxException.check(sent, "send a frame");
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  /**
   * Waits for a frame until a deadline in terms of {@link System#nanoTime}.
   *
   * @return the frame, truncated to the maximum size, valid until the next call; empty if none came
   * @throws InterruptedIOException if the thread was interrupted; its interrupt status stays set
   * @throws LinuxException if the kernel reports an error; ENETDOWN if the interface went down
   */
  Optional<ByteBuffer> receive(long deadline) throws IOException {
    try (FileDescriptor.Hold held = socket.hold()) {
      while (true) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted while waiting for a DHCP server");
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return Optional.empty();
        }
        int length = access.read(held.number(), access.address(memory), UdpFrame.MAX_SIZE);
        if (length >= 0) {
          return Optional.of(memory.slice(0, length)); // in network byte order
        }
        if (length == -Errno.EAGAIN.code()) {
          await(held.number(), (int) Math.min(SLICE, left / 1_000_000 + 1));
        } else if (length != -Errno.EINTR.code()) {
          throw new LinuxException("receive a frame", -length);
        }
      }
    } finally {
      Reference.reachabilityFence(memory);
    }
  }

  private void await(int number, int milliseconds) throws LinuxException {
    int at = MEMORY - StructureLayout.POLLFD_SIZE;
    memory.putInt(at, number);
    memory.putShort(at + StructureLayout.POLLFD_EVENTS, (short) POLLIN);
    memory.putShort(at + StructureLayout.POLLFD_RETURNED, (short) 0);
    int ready = access.poll(access.address(memory) + at, 1, milliseconds);
    if (ready < 0 && ready != -Errno.EINTR.code()) {
      throw new LinuxException("wait for a frame", -ready);
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
