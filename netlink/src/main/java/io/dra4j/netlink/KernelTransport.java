package io.dra4j.netlink;

import io.dra4j.linux.Architecture;
import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.linux.StructureLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A netlink socket of the kernel, in the network namespace of the thread that opens it.
 *
 * <p>The kernel remembers the largest receive buffer of a socket and fills datagrams up to that
 * size, at most 32 KiB: a smaller buffer later would truncate them. Single messages can be larger
 * (links with many virtual functions), so the buffer grows after a truncated message.
 */
final class KernelTransport implements Transport {

  private static final int AF_NETLINK = 16;
  private static final int SOCK_RAW = 3;
  private static final int MSG_TRUNC = 0x20;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int POLLIN = 1;

  /**
   * The first wait of a receive, in milliseconds; each next one is twice as long. {@link
   * Thread#interrupt} of JDK 17 to 21 looks for a waiting thread before it sets the interrupt
   * status, so a thread that begins to wait between the two steps is not woken. It sees the status
   * at the end of its present wait, which limits the additional delay to the delay of the
   * interrupting thread between the two steps.
   */
  private static final int FIRST_WAIT = 10;

  /** {@code linux/sockios.h}: opens the network namespace of a socket. */
  private static final int SIOCGSKNS = 0x894c;

  private static final int SOL_SOCKET = 1;
  private static final int SO_RCVBUF = 8;
  private static final int SO_RCVBUFFORCE = 33;
  private static final int SO_NETNS_COOKIE = 71;
  private static final int SOL_NETLINK = 270;
  private static final int NETLINK_ADD_MEMBERSHIP = 1;
  private static final int NETLINK_CAP_ACK = 10;
  private static final int NETLINK_EXT_ACK = 11;
  private static final int NETLINK_GET_STRICT_CHK = 12;

  private static final int SEND_BUFFER = 1 << 10;
  private static final int RECEIVE_BUFFER = 64 << 10;
  private static final int MAX_RECEIVE_BUFFER = 16 << 20;
  private static final int SUBSCRIBER_QUEUE = 16 << 20;

  // Offsets in the scratch memory.
  private static final int SENDER = 0;
  private static final int LENGTH = 16;
  private static final int POLL = 24;
  private static final int VALUE = POLL + 2 * StructureLayout.POLLFD_SIZE;
  private static final int HEADER = VALUE + 8;
  private static final int VECTOR = HEADER + StructureLayout.MSGHDR_SIZE;
  private static final int SCRATCH = VECTOR + StructureLayout.IOVEC_SIZE;

  /** Memory of closed sockets for reuse: new memory is the most expensive part of a new socket. */
  private static final ArrayBlockingQueue<ByteBuffer> SPARE = new ArrayBlockingQueue<>(8);

  private final NativeAccess access;
  private final FileDescriptor socket;
  private final ReentrantLock use = new ReentrantLock();
  private @Nullable ByteBuffer memory;
  private final ByteBuffer scratch;
  private final long scratchAddress;
  private final int port;
  private ByteBuffer outgoing;
  private long outgoingAddress;
  private ByteBuffer incoming;
  private long incomingAddress;
  private int sender;
  private volatile @Nullable FileDescriptor waker;
  private final Interruption interruption = new Interruption(this::wake);
  private @Nullable String namespace;
  private final AtomicBoolean closed = new AtomicBoolean();

  private KernelTransport(NativeAccess access, FileDescriptor socket) throws TransportException {
    this.access = access;
    this.socket = socket;
    ByteBuffer spare = SPARE.poll();
    ByteBuffer all = spare == null ? buffer(SCRATCH + SEND_BUFFER + RECEIVE_BUFFER) : spare;
    this.memory = all;
    this.scratch = part(all, 0, SCRATCH);
    this.outgoing = part(all, SCRATCH, SEND_BUFFER);
    this.incoming = part(all, SCRATCH + SEND_BUFFER, RECEIVE_BUFFER);
    this.scratchAddress = access.address(scratch);
    this.outgoingAddress = access.address(outgoing);
    this.incomingAddress = access.address(incoming);
    this.port = bind();
    prepareToReceive();
  }

  private void prepareToReceive() {
    scratch.putLong(HEADER + StructureLayout.MSGHDR_NAME, scratchAddress + SENDER);
    scratch.putLong(HEADER + StructureLayout.MSGHDR_VECTORS, scratchAddress + VECTOR);
    scratch.putLong(HEADER + StructureLayout.MSGHDR_VECTOR_COUNT, 1);
    scratch.putLong(VECTOR + StructureLayout.IOVEC_BASE, incomingAddress);
    scratch.putLong(VECTOR + StructureLayout.IOVEC_LENGTH, incoming.capacity());
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  private static ByteBuffer part(ByteBuffer whole, int from, int size) {
    return whole.slice(from, size).order(ByteOrder.nativeOrder());
  }

  /** Opens a socket of a protocol. */
  static KernelTransport open(NativeAccess access, int protocol) throws TransportException {
    int number = access.socket(AF_NETLINK, SOCK_RAW | Architecture.O_CLOEXEC, protocol);
    FileDescriptor socket = new FileDescriptor(access, check(number, "open a netlink socket"));
    try {
      return new KernelTransport(access, socket);
    } catch (TransportException | RuntimeException | Error e) {
      socket.close();
      throw e;
    }
  }

  private static int check(int result, String action) throws TransportException {
    if (result < 0) {
      throw new TransportException(action, -result);
    }
    return result;
  }

  private int bind() throws TransportException {
    // Kernels before 4.12 and 4.20 lack some of these options; then there is less text, and dumps
    // are larger.
    option(SOL_NETLINK, NETLINK_EXT_ACK, 1);
    option(SOL_NETLINK, NETLINK_CAP_ACK, 1);
    option(SOL_NETLINK, NETLINK_GET_STRICT_CHK, 1);
    scratch.putLong(SENDER, 0).putInt(SENDER + StructureLayout.SOCKADDR_NL_GROUPS, 0);
    scratch.putShort(SENDER + StructureLayout.SOCKADDR_NL_FAMILY, (short) AF_NETLINK);
    check(
        access.bind(socket.number(), scratchAddress + SENDER, StructureLayout.SOCKADDR_NL_SIZE),
        "bind a netlink socket");
    scratch.putInt(LENGTH, StructureLayout.SOCKADDR_NL_SIZE);
    check(
        access.socketName(socket.number(), scratchAddress + SENDER, scratchAddress + LENGTH),
        "read the address of a netlink socket");
    return scratch.getInt(SENDER + StructureLayout.SOCKADDR_NL_PORT);
  }

  private int option(int level, int option, int value) {
    scratch.putInt(VALUE, value);
    return access.setOption(socket.number(), level, option, scratchAddress + VALUE, 4);
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public int sender() {
    return sender;
  }

  /** The kernel reports it to threads with CAP_NET_ADMIN there. */
  @Override
  public String namespace() {
    use.lock();
    try {
      if (namespace == null) {
        namespace = closed.get() ? "" : askForNamespace();
      }
      return namespace;
    } finally {
      use.unlock();
    }
  }

  private String askForNamespace() {
    int number = access.deviceControl(socket.number(), SIOCGSKNS, 0);
    if (number < 0) {
      return "";
    }
    try (FileDescriptor open = new FileDescriptor(access, number);
        NetworkNamespace found = NetworkNamespace.ofDescriptor(access, open.number())) {
      return found.toString();
    } catch (LinuxException e) {
      return "";
    }
  }

  @Override
  public OptionalLong namespaceCookie() {
    use.lock();
    try {
      if (closed.get()) {
        return OptionalLong.empty();
      }
      scratch.putInt(LENGTH, Long.BYTES);
      int result =
          access.getOption(
              socket.number(),
              SOL_SOCKET,
              SO_NETNS_COOKIE,
              scratchAddress + VALUE,
              scratchAddress + LENGTH);
      return result < 0 ? OptionalLong.empty() : OptionalLong.of(scratch.getLong(VALUE));
    } finally {
      use.unlock();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void join(int group) throws TransportException {
    use.lock();
    try {
      checkOpen();
      if (option(SOL_SOCKET, SO_RCVBUFFORCE, SUBSCRIBER_QUEUE) < 0) { // needs CAP_NET_ADMIN
        option(SOL_SOCKET, SO_RCVBUF, SUBSCRIBER_QUEUE);
      }
      check(option(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group), "join group " + group);
    } finally {
      use.unlock();
    }
  }

  private void checkOpen() throws TransportException {
    if (closed.get()) {
      throw new TransportException("use a closed socket", Errno.EBADF.code());
    }
  }

  @Override
  public void send(ByteBuffer datagram) throws TransportException {
    use.lock();
    try {
      checkOpen();
      int length = datagram.remaining();
      if (length > outgoing.capacity()) {
        outgoing = buffer(length);
        outgoingAddress = access.address(outgoing);
      }
      outgoing.clear().put(datagram.duplicate());
      int sent;
      do {
        sent = access.send(socket.number(), outgoingAddress, length, 0);
      } while (sent == -Errno.EINTR.code());
      check(sent, "send");
    } finally {
      use.unlock();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public ByteBuffer receive(long nanoseconds) throws TransportException {
    use.lock();
    try {
      long deadline = nanoseconds > 0 ? System.nanoTime() + nanoseconds : 0;
      int longest = FIRST_WAIT;
      while (true) {
        checkOpen();
        scratch.putInt(
            HEADER + StructureLayout.MSGHDR_NAME_LENGTH, StructureLayout.SOCKADDR_NL_SIZE);
        int length =
            access.receive(socket.number(), scratchAddress + HEADER, MSG_TRUNC | MSG_DONTWAIT);
        if (length >= 0) {
          return received(length);
        }
        if (length == -Errno.EAGAIN.code()) {
          await(nanoseconds, deadline, longest);
          longest = (int) Math.min(2L * longest, Integer.MAX_VALUE);
        } else if (length != -Errno.EINTR.code()) {
          throw new TransportException("receive", -length);
        }
      }
    } finally {
      use.unlock();
      Reference.reachabilityFence(this);
    }
  }

  private ByteBuffer received(int length) throws TransportException {
    sender = scratch.getInt(SENDER + StructureLayout.SOCKADDR_NL_PORT);
    if (length > incoming.capacity()) {
      if (length <= MAX_RECEIVE_BUFFER) {
        incoming = buffer(length);
        incomingAddress = access.address(incoming);
        prepareToReceive();
      }
      throw new TransportException(
          "receive a datagram of " + length + " bytes", Errno.EMSGSIZE.code());
    }
    return incoming.clear().limit(length);
  }

  /** Waits for a datagram, the deadline or the socket's end, but at most {@code longest} ms. */
  private void await(long nanoseconds, long deadline, int longest) throws TransportException {
    int wake = wakerNumber();
    checkOpen(); // a closing thread sees the waker, or this thread sees that it closes
    int milliseconds = longest;
    if (nanoseconds >= 0) {
      long left = nanoseconds == 0 ? 0 : deadline - System.nanoTime();
      if (left <= 0) {
        throw new TransportException("receive", Errno.ETIMEDOUT.code());
      }
      milliseconds = (int) Math.min(longest, (left + 999_999) / 1_000_000);
    }
    watch(POLL, socket.number());
    watch(POLL + StructureLayout.POLLFD_SIZE, wake);
    int ready;
    interruption.enter();
    try {
      ready = access.poll(scratchAddress + POLL, 2, milliseconds);
    } finally {
      interruption.exit();
    }
    // The next round sees that the socket is closed, even if this read consumes the signal.
    access.read(wake, scratchAddress + VALUE, 8);
    if (Thread.currentThread().isInterrupted()) {
      throw new TransportException("wait", Errno.EINTR.code());
    }
    if (ready < 0 && ready != -Errno.EINTR.code()) {
      throw new TransportException("wait", -ready);
    }
  }

  private void watch(int at, int number) {
    scratch.putInt(at, number);
    scratch.putShort(at + StructureLayout.POLLFD_EVENTS, (short) POLLIN);
    scratch.putShort(at + StructureLayout.POLLFD_RETURNED, (short) 0);
  }

  /**
   * Returns the event counter that wakes the thread, created on first use: most sockets never wait,
   * because the kernel has answered when {@code send} returns.
   */
  private int wakerNumber() throws TransportException {
    FileDescriptor known = waker;
    if (known == null) {
      int flags = Architecture.O_CLOEXEC | Architecture.O_NONBLOCK;
      known =
          new FileDescriptor(access, check(access.eventDescriptor(flags), "make an event counter"));
      waker = known;
    }
    return known.number();
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    wake();
    use.lock(); // then waiting threads have left the socket
    try {
      socket.close();
      FileDescriptor last = waker;
      if (last != null) {
        last.close();
      }
    } finally {
      use.unlock();
    }
  }

  /**
   * Ends the wait of another thread. If that thread has closed the socket since, its number may
   * belong to another file, and no thread waits.
   */
  void wake() {
    FileDescriptor sleeper = waker;
    FileDescriptor.Hold held = sleeper == null ? null : sleeper.holdIfOpen();
    if (held == null) {
      return;
    }
    try (held) {
      ByteBuffer one = buffer(8).putLong(0, 1);
      try {
        access.write(held.number(), access.address(one), 8);
      } finally {
        Reference.reachabilityFence(one);
      }
    }
  }

  /**
   * Passes the memory of a closed socket, whose datagrams are no longer read, to the next socket.
   */
  void release() {
    use.lock();
    try {
      if (memory != null && closed.get()) {
        SPARE.offer(memory); // if there is room
        memory = null;
      }
    } finally {
      use.unlock();
    }
  }
}
