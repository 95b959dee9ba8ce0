package io.dra4j.netlink;

import io.dra4j.linux.Errno;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A conversation with one part of the kernel, in one network namespace: requests and their answers,
 * or notifications. Thread-safe; requests of several threads wait for each other. A socket that
 * joins groups should only receive: notifications between answers are treated as malformed answers.
 *
 * <p>If an answer is malformed, the rest of it is received and dropped, so that the socket remains
 * usable. If its end cannot be found, the socket is closed. A request that could not be sent
 * (ENOBUFS, ENOMEM) leaves the socket unchanged and can be repeated.
 *
 * <p>{@link Thread#interrupt} ends only waiting, with {@link NetlinkException.Interrupted}; the
 * interrupt status stays set. A thread that waits for notifications, or for another thread that
 * uses the socket, loses nothing. A thread that waits for an answer does not know whether the
 * request was carried out. The kernel has nearly always answered when {@code send} returns, so an
 * interrupted thread can still send requests, for example to clean up.
 *
 * <p>A virtual thread pins its carrier while it waits for the kernel, as in every system call.
 * Requests are short, but a monitor that waits for a long time should have a platform thread.
 * Waiting for another thread that uses the socket does not pin the carrier.
 */
public final class NetlinkSocket implements AutoCloseable {

  /** {@code NETLINK_ROUTE}: links, addresses, routes. */
  public static final int ROUTE = 0;

  /** {@code NETLINK_KOBJECT_UEVENT}: devices that come and go. */
  public static final int KOBJECT_UEVENT = 15;

  /** {@code NETLINK_GENERIC}: families with names, such as ethtool. */
  public static final int GENERIC = 16;

  /** {@code NETLINK_RDMA}: RDMA devices. */
  public static final int RDMA = 20;

  private static final int ANY = -1;

  /** Advice if the kernel refuses sockets of {@link #RDMA}. */
  private static final String NO_RDMA =
      "the kernel does not support RDMA: load the module of the device, such as mlx5_ib, or "
          + "rdma_rxe";

  /** The most attempts for a dump that changes meanwhile, as while pods start and links move. */
  private static final int DUMP_ATTEMPTS = 40;

  /** The number of attempts without a pause; later attempts follow pauses of increasing length. */
  private static final int DUMP_ATTEMPTS_AT_ONCE = 5;

  private static final long DUMP_PAUSE = Duration.ofMillis(1).toNanos();

  /** The longest wait for a stuck kernel's answer; normally it answers within {@code send}. */
  private static final long ANSWER_NANOS = Duration.ofSeconds(30).toNanos();

  /** The longest wait for the end of a malformed answer. */
  private static final long DRAIN_NANOS = Duration.ofMillis(100).toNanos();

  /** The number of receive errors that ends a conversation. */
  private static final int MAX_TRANSPORT_ERRORS = 4;

  /** The longest wait; it fits into the nanoseconds of a clock. */
  private static final Duration LONGEST = Duration.ofDays(10_000);

  /** The end of the answer to a request. */
  private enum Ending {
    ACKNOWLEDGEMENT,
    REPLY,
    DONE,
    /** As {@code DONE}; a dump that changed meanwhile is accepted. */
    DONE_AMID_CHANGES,
    /** No end: an answer that the kernel sends at once is read, if there is one. */
    NONE
  }

  private final String namespace;
  private final ReentrantLock lock = new ReentrantLock();
  private final Message message = new Message();
  private final AtomicReference<@Nullable MessageWriter> spare = new AtomicReference<>();
  private final AtomicReference<@Nullable RecordingTransport> recording = new AtomicReference<>();
  private final Transport base;

  /** The {@link #base}, or a recorder of its traffic. */
  private volatile Transport transport;

  private volatile Consumer<NetlinkWarning> warnings = NetlinkSocket::log;
  private boolean conversing;
  private int sequence;

  private NetlinkSocket(Transport transport, String namespace) {
    this.base = transport;
    this.transport = transport;
    this.namespace = namespace;
  }

  /**
   * {@return a new socket, which stays in the network namespace of the calling thread}
   *
   * @param protocol the part of the kernel, for example {@link #ROUTE}
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.Unsupported} if it does
   *     not have the protocol
   */
  public static NetlinkSocket open(int protocol) throws NetlinkException {
    return open(NativeAccess.system(), protocol);
  }

  /**
   * {@return a new socket as from {@link #open(int)}, opened through a given port to the kernel}
   *
   * @param access the port
   * @param protocol the part of the kernel, for example {@link #ROUTE}
   * @throws NetlinkException as for {@link #open(int)}
   */
  public static NetlinkSocket open(NativeAccess access, int protocol) throws NetlinkException {
    return open(access, protocol, "");
  }

  private static NetlinkSocket open(NativeAccess access, int protocol, String namespace)
      throws NetlinkException {
    try {
      return new NetlinkSocket(KernelTransport.open(access, protocol), namespace);
    } catch (TransportException e) {
      NetlinkException failure = failed("open a netlink socket of protocol " + protocol, e);
      throw protocol == RDMA && failure instanceof NetlinkException.Unsupported unsupported
          ? new NetlinkException.Unsupported(unsupported, NO_RDMA)
          : failure;
    }
  }

  /**
   * {@return a new socket, which stays in a network namespace and uses its port to the kernel}
   *
   * @param protocol the part of the kernel, for example {@link #ROUTE}
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or as for {@link #open(int)}
   */
  public static NetlinkSocket open(int protocol, NetworkNamespace namespace) throws IOException {
    return namespace.call(() -> open(namespace.access(), protocol, namespace.toString()));
  }

  /**
   * {@return a socket that uses a transport other than the kernel}
   *
   * @param transport the transport of the datagrams; closed with the socket
   */
  public static NetlinkSocket over(Transport transport) {
    return new NetlinkSocket(transport, "");
  }

  private static NetlinkException failed(String operation, TransportException e) {
    return switch (Errno.of(e.errno()).orElse(Errno.EIO)) {
      case ENOBUFS -> new NetlinkException.Overrun(operation);
      case ETIMEDOUT -> new NetlinkException.TimedOut(operation);
      case EINTR -> new NetlinkException.Interrupted(operation);
      case EBADF -> new NetlinkException.Closed(operation);
      case EPERM, EACCES, EPROTONOSUPPORT, EAFNOSUPPORT ->
          NetlinkException.of(operation, new KernelError(e.errno()));
      default -> new NetlinkException.TransportFailed(operation, e);
    };
  }

  /**
   * {@return a writer for a new request, which can be sent once: after the answer it is reused}
   *
   * @param type its type, a number of the family
   * @param flags bits of {@link MessageFlags}; the sending method adds the flags that it needs
   * @param names the names of its attributes, for errors
   * @param operation the operation; converted to text only if it fails
   */
  public MessageWriter request(int type, int flags, AttributeTable names, Object operation) {
    MessageWriter used = spare.getAndSet(null);
    MessageWriter writer = used == null ? new MessageWriter() : used;
    return writer.begin(type, flags, names, operation);
  }

  /**
   * Records the traffic of this socket from the next request on, for example to create a test from
   * a bug report: {@link RecordedTransport} replays it.
   *
   * <pre>{@code
   * RecordingTransport recording = route.socket().record();
   * ...
   * Files.writeString(path, recording.recording());
   * }</pre>
   *
   * @return the recorder, which records until {@link RecordingTransport#stop} or until this method
   *     is called again, at most 16 MiB
   */
  public RecordingTransport record() {
    RecordingTransport recorder = RecordingTransport.around(base);
    RecordingTransport earlier = recording.getAndSet(recorder);
    if (earlier != null) {
      earlier.stop();
    }
    return recorder;
  }

  /**
   * Sets a listener for warnings of the kernel about requests that it carries out. Without a
   * listener, warnings go to the {@link System.Logger} with the name {@code io.dra4j.netlink}.
   *
   * @param listener called after the request, on the thread that sent it; may use the socket
   */
  public void onWarning(Consumer<NetlinkWarning> listener) {
    warnings = listener;
  }

  private static void log(NetlinkWarning warning) {
    System.getLogger("io.dra4j.netlink").log(System.Logger.Level.WARNING, warning::toString);
  }

  /**
   * {@return the unsigned 64-bit cookie of this socket's network namespace, which the kernel does
   * not reuse until a reboot, unlike inode numbers in {@code /proc}; empty before Linux 5.14}
   */
  public OptionalLong namespaceCookie() {
    return base.namespaceCookie();
  }

  /**
   * Sends a message without acknowledgement, and does not wait: for messages that have no answer.
   * An error that the kernel reports while it accepts the message, as the families of this library
   * do, is still thrown.
   *
   * <p>This is for netlink. To send packets on a network, such as packets of DHCP, use sockets that
   * are opened in {@link NetworkNamespace#call}.
   *
   * @param message the message
   * @throws NetlinkException if the kernel refuses the message at once, or it cannot be sent
   */
  public void sendMessage(MessageWriter message) throws NetlinkException {
    try {
      converse(message, 0, Ending.NONE, ANY, reply -> {});
    } finally {
      spare.set(message);
    }
  }

  /**
   * Sends a request for a change.
   *
   * @param request the request
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void execute(MessageWriter request) throws NetlinkException {
    execute(request, reply -> {});
  }

  /**
   * Sends a request for a change that the kernel replies to before it acknowledges it.
   *
   * @param request the request
   * @param replies handles the replies
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void execute(MessageWriter request, MessageHandler replies) throws NetlinkException {
    try {
      if (converse(request, MessageFlags.ACK, Ending.ACKNOWLEDGEMENT, ANY, replies)
          != Result.WHOLE) {
        throw new NetlinkException.Malformed(request.operation(), "the answer was truncated");
      }
    } finally {
      spare.set(request);
    }
  }

  /**
   * {@return the decoded single reply to a request, which this method sends}
   *
   * @param <T> the type of the object
   * @param request the request
   * @param replyType the type of the reply
   * @param decoder converts the reply to an object
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} also if the decoder leaves the reply out
   */
  public <T> T get(MessageWriter request, int replyType, MessageDecoder<T> decoder)
      throws NetlinkException {
    return collect(request, 0, Ending.REPLY, replyType, decoder).get(0);
  }

  /**
   * {@return all replies to a dump request, in the kernel's order} Sends the request, and repeats
   * it up to 40 attempts if changes interrupted the dump.
   *
   * @param <T> the type of the objects
   * @param request the request
   * @param replyType the type of the replies
   * @param decoder converts each reply to an object
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.DumpInterrupted} if every attempt was interrupted
   */
  public <T> List<T> dump(MessageWriter request, int replyType, MessageDecoder<T> decoder)
      throws NetlinkException {
    return collect(request, MessageFlags.DUMP, Ending.DONE, replyType, decoder);
  }

  /**
   * {@return the replies to a dump request, as from {@link #dump}, but after the second attempt
   * even if it was interrupted} Objects that existed during the whole attempt are in the result;
   * objects that were added or removed meanwhile may be.
   *
   * @param <T> the type of the objects
   * @param request the request
   * @param replyType the type of the replies
   * @param decoder converts each reply to an object
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public <T> List<T> dumpAmidChanges(
      MessageWriter request, int replyType, MessageDecoder<T> decoder) throws NetlinkException {
    return collect(request, MessageFlags.DUMP, Ending.DONE_AMID_CHANGES, replyType, decoder);
  }

  /** Sends a dump request. The writer is released after the last attempt, not earlier. */
  private <T> List<T> collect(
      MessageWriter request, int flags, Ending ending, int replyType, MessageDecoder<T> decoder)
      throws NetlinkException {
    Collector<T> found = new Collector<>(decoder);
    try {
      for (int attempt = 1; attempt <= DUMP_ATTEMPTS; attempt++) {
        found.clear();
        Ending first = // the second attempt is accepted despite changes
            ending == Ending.DONE_AMID_CHANGES && attempt == 1 ? Ending.DONE : ending;
        if (converse(request, flags, first, replyType, found) == Result.WHOLE) {
          if (ending == Ending.REPLY && found.all().isEmpty()) {
            throw NetlinkException.of(request.operation(), new KernelError(Errno.ENOENT.code()));
          }
          return found.all();
        }
        if (attempt >= DUMP_ATTEMPTS_AT_ONCE) {
          LockSupport.parkNanos((attempt - DUMP_ATTEMPTS_AT_ONCE + 1) * DUMP_PAUSE);
        }
      }
      throw new NetlinkException.DumpInterrupted(request.operation(), DUMP_ATTEMPTS);
    } finally {
      spare.set(request);
    }
  }

  /**
   * Subscribes to the notifications of a group.
   *
   * @param group the number of the group
   * @throws NetlinkException if there is no such group, or this process lacks the permission
   */
  public void join(int group) throws NetlinkException {
    try {
      transport.join(group);
    } catch (TransportException e) {
      throw failed("join netlink group " + group, e);
    }
  }

  /**
   * Waits for a datagram and handles its notifications.
   *
   * @param timeout the longest time to wait; zero to return at once
   * @param handler handles the notifications
   * @return false if none came
   * @throws NetlinkException if the socket is closed or fails; {@link NetlinkException.Overrun} if
   *     notifications were lost; {@link NetlinkException.Malformed} if one is malformed, or not
   *     from the kernel; {@link NetlinkException.Interrupted} if the thread was interrupted before
   *     or while it waited. The socket remains usable in the last three cases
   */
  public boolean receive(Duration timeout, MessageHandler handler) throws NetlinkException {
    return receiveRaw(
        timeout,
        datagram -> {
          message.reset(datagram);
          while (message.next()) {
            handler.handle(message);
          }
        });
  }

  /**
   * Waits for a datagram that does not consist of messages, such as one of {@link #KOBJECT_UEVENT}.
   *
   * @param timeout the longest time to wait; zero to return at once
   * @param handler handles the datagram
   * @return false if none came
   * @throws NetlinkException as for {@link #receive}
   */
  public boolean receiveRaw(Duration timeout, DatagramHandler handler) throws NetlinkException {
    String operation = "receive notifications";
    enter(operation);
    try {
      begin();
      ByteBuffer datagram = transport.receive(nanoseconds(timeout));
      checkSender();
      handler.handle(datagram);
      return true;
    } catch (TransportException e) {
      if (e.is(Errno.ETIMEDOUT)) {
        return false;
      }
      throw e.is(Errno.EMSGSIZE) ? new NetlinkException.Overrun(operation) : failed(operation, e);
    } catch (NetlinkException.Malformed e) {
      throw e.during(operation);
    } finally {
      conversing = false;
      lock.unlock();
    }
  }

  private static long nanoseconds(Duration timeout) {
    if (timeout.isNegative()) {
      return 0;
    }
    return timeout.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : timeout.toNanos();
  }

  /** Checks that the kernel sent the datagram; other processes may be permitted to send, too. */
  private void checkSender() throws NetlinkException.Malformed {
    if (transport.sender() != 0) {
      throw new NetlinkException.Malformed(
          "a datagram from port "
              + Integer.toUnsignedString(transport.sender())
              + ", which is not the kernel");
    }
  }

  private void begin() {
    if (conversing) {
      throw new IllegalStateException("a handler must not use the socket that calls it");
    }
    conversing = true;
    RecordingTransport recorder = recording.get();
    if (recorder != null && recorder.isStopped()) {
      recording.compareAndSet(recorder, null); // its data belongs to its owner
      recorder = null;
    }
    transport = recorder == null ? base : recorder;
  }

  /** Acquires the socket. An interrupted thread gets a free socket, but does not wait for one. */
  private void enter(Object operation) throws NetlinkException.Interrupted {
    if (lock.tryLock()) {
      return;
    }
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NetlinkException.Interrupted(operation.toString());
    }
  }

  /** The outcome of an answer. */
  private enum Result {
    WHOLE,
    CHANGED_OR_CUT
  }

  private Result converse(
      MessageWriter request, int flags, Ending ending, int replyType, MessageHandler handler)
      throws NetlinkException {
    Conversation conversation = new Conversation(request, ending, replyType, handler);
    enter(request);
    Result result;
    try {
      begin();
      RequestEvent event = FlightRecording.begin();
      Throwable failure = null;
      try {
        result = conversation.hold(flags);
      } catch (NetlinkException | RuntimeException e) {
        failure = e;
        throw e;
      } finally {
        conversing = false;
        if (event != null) {
          FlightRecording.end(
              event,
              request.operation(),
              namespace.isEmpty() ? transport.namespace() : namespace,
              failure,
              conversation.warning,
              conversation.replies);
        }
      }
    } finally {
      lock.unlock();
    }
    if (conversation.warning != null) {
      warnings.accept(conversation.warning);
    }
    return result;
  }

  /** Closes the socket. Waiting threads get {@link NetlinkException.Closed}. */
  @Override
  public void close() {
    base.close();
    if (base instanceof KernelTransport kernel && lock.tryLock()) {
      try {
        if (!conversing) {
          kernel.release();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** The part of the answer to one request that has arrived. */
  private final class Conversation {

    private final MessageWriter request;
    private final Ending ending;
    private final int replyType;
    private final MessageHandler handler;
    private @Nullable NetlinkException failure;
    private @Nullable RuntimeException bug;
    private @Nullable NetlinkWarning warning;
    private int replies;
    private int transportErrors;
    private boolean interrupted;
    private boolean changed;
    private boolean over;

    Conversation(MessageWriter request, Ending ending, int replyType, MessageHandler handler) {
      this.request = request;
      this.ending = ending;
      this.replyType = replyType;
      this.handler = handler;
    }

    Result hold(int flags) throws NetlinkException {
      sequence = sequence == -1 ? 1 : sequence + 1;
      ByteBuffer datagram =
          request.finish(flags | MessageFlags.REQUEST, sequence, transport.port());
      try {
        send(datagram, request.descriptors(), 0);
      } catch (TransportException e) { // the kernel did not receive it, so there is no answer
        throw e.is(Errno.ENOBUFS)
            ? new NetlinkException.TransportFailed(request.operation(), e)
            : failed(request.operation(), e);
      }
      try {
        return hear();
      } catch (TransportException e) {
        transport.close();
        throw failure(failed(request.operation(), e));
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    /** Holds the descriptors that the message names until the kernel has taken it. */
    private void send(ByteBuffer datagram, List<FileDescriptor> descriptors, int next)
        throws TransportException {
      if (next == descriptors.size()) {
        transport.send(datagram);
        return;
      }
      FileDescriptor.Hold held = descriptors.get(next).hold();
      try {
        send(datagram, descriptors, next + 1);
      } finally {
        held.close();
      }
    }

    NetlinkException failure(NetlinkException later) {
      if (failure == null) {
        return later;
      }
      failure.addSuppressed(later);
      return failure;
    }

    private void fail(NetlinkException e) {
      if (failure == null) {
        failure = e;
      }
    }

    Result hear() throws TransportException, NetlinkException {
      while (!over) {
        hearDatagram();
      }
      if (bug != null) {
        throw bug;
      }
      if (failure != null) {
        throw failure;
      }
      return changed ? Result.CHANGED_OR_CUT : Result.WHOLE;
    }

    private void hearDatagram() throws TransportException {
      ByteBuffer datagram;
      try {
        boolean broken = failure != null || bug != null || changed;
        long wait = ending == Ending.NONE ? 0 : broken ? DRAIN_NANOS : ANSWER_NANOS;
        datagram = transport.receive(wait);
      } catch (TransportException e) {
        if (e.is(Errno.EMSGSIZE)) {
          changed = true;
          over = ending == Ending.REPLY;
        } else if (e.is(Errno.ETIMEDOUT) && ending == Ending.NONE) {
          over = true;
        } else if (e.is(Errno.ENOBUFS)) {
          fail(new NetlinkException.Overrun(request.operation()));
        } else if (e.is(Errno.EINTR)) { // the end of the answer is still waited for
          interrupted |= Thread.interrupted();
          fail(new NetlinkException.Interrupted(request.operation()));
        } else if (isPassing(e)) {
          fail(new NetlinkException.TransportFailed(request.operation(), e));
        } else if (bug != null) {
          transport.close();
          over = true;
        } else {
          throw e;
        }
        return;
      }
      try {
        checkSender();
        message.reset(datagram);
        while (message.next()) {
          hearMessage();
        }
      } catch (NetlinkException.Malformed e) {
        fail(e.during(request.operation()));
      }
    }

    /** Returns whether another attempt may succeed, as after ENOMEM. */
    private boolean isPassing(TransportException e) {
      return !e.is(Errno.ETIMEDOUT)
          && !e.is(Errno.EBADF)
          && ++transportErrors < MAX_TRANSPORT_ERRORS;
    }

    private void hearMessage() {
      try {
        take();
      } catch (NetlinkException.Malformed e) {
        fail(e.during(request.operation()));
      }
    }

    private void take() throws NetlinkException.Malformed {
      if (over) {
        fail(new NetlinkException.Malformed(request.operation(), "messages after the last one"));
        return;
      }
      if (message.sequence() != sequence || message.port() != transport.port()) {
        throw new NetlinkException.Malformed(
            "answer "
                + message.sequence()
                + " to port "
                + Integer.toUnsignedString(message.port())
                + ", expected "
                + sequence
                + " to port "
                + Integer.toUnsignedString(transport.port()));
      }
      int flags = message.flags();
      changed |= (flags & MessageFlags.DUMP_INTERRUPTED) != 0 && ending != Ending.DONE_AMID_CHANGES;
      switch (message.type()) {
        case MessageFlags.NOOP -> {
          // has no text
        }
        case MessageFlags.OVERRUN -> fail(new NetlinkException.Overrun(request.operation()));
        case MessageFlags.ERROR -> {
          boolean capped = (flags & MessageFlags.CAPPED) != 0;
          over = message.u32(0) != 0 || !isDump();
          refuse(message.u32(0), 4 + (capped ? 16 : (message.u32(4) + 3) & ~3));
        }
        case MessageFlags.DONE -> {
          over = true;
          refuse(message.length() >= 4 ? message.u32(0) : 0, 4);
        }
        default -> {
          over = ending == Ending.REPLY && (flags & MessageFlags.MULTI) == 0;
          reply();
        }
      }
    }

    private boolean isDump() {
      return ending == Ending.DONE || ending == Ending.DONE_AMID_CHANGES;
    }

    private void refuse(int code, int attributesAt) throws NetlinkException.Malformed {
      if (code == 0 && (message.flags() & MessageFlags.ACK_ATTRIBUTES) == 0) {
        return;
      }
      KernelError error = KernelError.read(code, message, attributesAt, request);
      if (code != 0) {
        fail(NetlinkException.of(request.operation(), error));
      } else if (!error.text().isEmpty()) {
        warning = error.warning(request.operation());
      }
    }

    private void reply() throws NetlinkException.Malformed {
      if (failure != null || bug != null || changed) {
        return;
      }
      if (replyType != ANY && message.type() != replyType) {
        throw new NetlinkException.Malformed(
            "answer of type " + message.type() + ", expected " + replyType);
      }
      replies++;
      try {
        handler.handle(message);
      } catch (RuntimeException e) { // thrown after the end of the answer
        bug = e;
      }
    }
  }

  /** Collects the objects of a decoder. */
  private static final class Collector<T> implements MessageHandler {

    private final MessageDecoder<T> decoder;
    private List<T> objects = new ArrayList<>();

    Collector(MessageDecoder<T> decoder) {
      this.decoder = decoder;
    }

    void clear() {
      objects = new ArrayList<>();
    }

    List<T> all() {
      return objects;
    }

    @Override
    public void handle(Message message) throws NetlinkException.Malformed {
      T object = decoder.decode(message);
      if (object != null) {
        objects.add(object);
      }
    }
  }
}
