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
 * joins groups should only receive: notifications among answers are taken for broken answers.
 *
 * <p>When an answer is broken, the rest of it is received and dropped, so that the socket can still
 * be used; where its end cannot be found, the socket is closed. A request that could not be sent
 * (ENOBUFS, ENOMEM) leaves the socket as it was: it can be asked again.
 *
 * <p>{@link Thread#interrupt} ends waiting, and only waiting, with {@link
 * NetlinkException.Interrupted}; the interrupt status stays set. Who waits for notifications, or
 * for another thread to be done with the socket, has lost nothing by it. Who waits for an answer
 * does not know whether the request was carried out. The kernel has nearly always answered when a
 * request is sent, so that an interrupted thread can still ask, for example to clean up.
 *
 * <p>A virtual thread keeps its carrier while it waits for the kernel, as in every system call:
 * requests are short, but a monitor that waits for long should have a platform thread. Waiting for
 * another thread that uses the socket keeps no carrier.
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

  /** What helps where a kernel refuses sockets of {@link #RDMA}. */
  private static final String NO_RDMA =
      "the kernel has no RDMA: load the module of the device, such as mlx5_ib, or rdma_rxe";

  /**
   * How often a dump is read at most that changes meanwhile. While pods are started, each move of a
   * link changes the list of links.
   */
  private static final int DUMP_ATTEMPTS = 40;

  /** After so many attempts there is a pause before the next, longer each time. */
  private static final int DUMP_ATTEMPTS_AT_ONCE = 5;

  private static final long DUMP_PAUSE = Duration.ofMillis(1).toNanos();

  /** The kernel answers within {@code send}; this is for one that is stuck. */
  private static final long ANSWER_NANOS = Duration.ofSeconds(30).toNanos();

  /** How long the end of a broken answer is waited for. */
  private static final long DRAIN_NANOS = Duration.ofMillis(100).toNanos();

  /** So many errors of receiving end a conversation. */
  private static final int MAX_TRANSPORT_ERRORS = 4;

  /** No wait is longer; it fits the nanoseconds of a clock. */
  private static final Duration LONGEST = Duration.ofDays(10_000);

  /** What ends the answer to a request. */
  private enum Ending {
    ACKNOWLEDGEMENT,
    REPLY,
    DONE,
    /** The same, and what changed while it was written down is taken as it is. */
    DONE_AMID_CHANGES,
    /** Nothing: what the kernel says at once is taken, if it says anything. */
    NONE
  }

  private final String namespace;
  private final ReentrantLock lock = new ReentrantLock();
  private final Message message = new Message();
  private final AtomicReference<@Nullable MessageWriter> spare = new AtomicReference<>();
  private final AtomicReference<@Nullable RecordingTransport> recording = new AtomicReference<>();
  private final Transport base;

  /** The {@link #base}, or what writes down what goes through it. */
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
   * Opens a socket in the network namespace of the calling thread.
   *
   * @param protocol which part of the kernel, for example {@link #ROUTE}
   * @return the socket, which stays in that namespace
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.Unsupported} if it does
   *     not have the protocol
   */
  public static NetlinkSocket open(int protocol) throws NetlinkException {
    return open(NativeAccess.system(), protocol);
  }

  /**
   * Opens a socket in the network namespace of the calling thread, through a given port to the
   * kernel.
   *
   * @param access the port
   * @param protocol which part of the kernel, for example {@link #ROUTE}
   * @return the socket, which stays in that namespace
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
   * Opens a socket in a network namespace, through the port to the kernel that the namespace was
   * opened through.
   *
   * @param protocol which part of the kernel, for example {@link #ROUTE}
   * @param namespace the namespace; may be closed afterwards
   * @return the socket, which stays in that namespace
   * @throws IOException if the namespace cannot be entered, or as for {@link #open(int)}
   */
  public static NetlinkSocket open(int protocol, NetworkNamespace namespace) throws IOException {
    return namespace.call(() -> open(namespace.access(), protocol, namespace.toString()));
  }

  /**
   * A conversation over something else than the kernel.
   *
   * @param transport carries the datagrams; closed with the socket
   * @return the socket
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
   * Starts a request, to be made once: when it has been answered, its writer is used for another.
   *
   * @param type its type, as the family numbers them
   * @param flags see {@link MessageFlags}; those that the way of asking needs are added
   * @param names the names of its attributes, for errors
   * @param operation what is asked for: becomes text only if it fails
   * @return takes the fields and attributes
   */
  public MessageWriter request(int type, int flags, AttributeTable names, Object operation) {
    MessageWriter used = spare.getAndSet(null);
    MessageWriter writer = used == null ? new MessageWriter() : used;
    return writer.begin(type, flags, names, operation);
  }

  /**
   * Writes down, from the next request on, what is said over this socket, for example to make a
   * test of a bug report: {@link RecordedTransport} plays it.
   *
   * <pre>{@code
   * RecordingTransport recording = route.socket().record();
   * ...
   * Files.writeString(path, recording.recording());
   * }</pre>
   *
   * @return has the recording, until {@link RecordingTransport#stop} or until this is called again;
   *     at most 16 MiB of it
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
   * Hears what the kernel says of requests that it carries out, from now on. Unless this is called,
   * warnings go to the {@link System.Logger} of the name {@code io.dra4j.netlink}.
   *
   * @param listener called after the request, on the thread that made it; may use the socket
   */
  public void onWarning(Consumer<NetlinkWarning> listener) {
    warnings = listener;
  }

  private static void log(NetlinkWarning warning) {
    System.getLogger("io.dra4j.netlink").log(System.Logger.Level.WARNING, warning::toString);
  }

  /**
   * Returns the number of the network namespace of this socket, which no other namespace gets as
   * long as the machine runs: that of a file in {@code /proc} is used again.
   *
   * @return the number, of 64 bits without sign; empty where the kernel is older than 5.14
   */
  public OptionalLong namespaceCookie() {
    return base.namespaceCookie();
  }

  /**
   * Sends a message that asks for no acknowledgement, and does not wait: for messages to which
   * there is no answer. What the kernel refuses while it takes the message, which is where the
   * families of this library refuse, is still returned.
   *
   * <p>This is for netlink. Packets on a network, such as those of DHCP, are sent by sockets that
   * are opened in {@link NetworkNamespace#call}.
   *
   * @param message the message
   * @throws NetlinkException if the kernel refuses it at once, or it cannot be sent
   */
  public void sendMessage(MessageWriter message) throws NetlinkException {
    try {
      converse(message, 0, Ending.NONE, ANY, reply -> {});
    } finally {
      spare.set(message);
    }
  }

  /**
   * Asks for a change.
   *
   * @param request the request
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void execute(MessageWriter request) throws NetlinkException {
    execute(request, reply -> {});
  }

  /**
   * Asks for a change, to which the kernel replies before it acknowledges.
   *
   * @param request the request
   * @param replies takes the replies
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void execute(MessageWriter request, MessageHandler replies) throws NetlinkException {
    try {
      if (converse(request, MessageFlags.ACK, Ending.ACKNOWLEDGEMENT, ANY, replies)
          != Result.WHOLE) {
        throw new NetlinkException.Malformed(request.operation(), "the answer was cut off");
      }
    } finally {
      spare.set(request);
    }
  }

  /**
   * Asks for one thing.
   *
   * @param <T> what it is
   * @param request the request
   * @param replyType the type of the reply
   * @param decoder makes an object of the reply
   * @return the object
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} also if the decoder leaves the reply out
   */
  public <T> T get(MessageWriter request, int replyType, MessageDecoder<T> decoder)
      throws NetlinkException {
    return collect(request, 0, Ending.REPLY, replyType, decoder).get(0);
  }

  /**
   * Asks for everything. If it changes while it is read, it is read again, 40 times at most.
   *
   * @param <T> what it consists of
   * @param request the request
   * @param replyType the type of the replies
   * @param decoder makes an object of each reply
   * @return the objects, in the kernel's order
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.DumpInterrupted} if it does not hold still
   */
  public <T> List<T> dump(MessageWriter request, int replyType, MessageDecoder<T> decoder)
      throws NetlinkException {
    return collect(request, MessageFlags.DUMP, Ending.DONE, replyType, decoder);
  }

  /**
   * Asks for everything, as {@link #dump} does, but takes what the second attempt finds even if it
   * changes meanwhile: what stays is in it, what comes or goes may be.
   *
   * @param <T> what it consists of
   * @param request the request
   * @param replyType the type of the replies
   * @param decoder makes an object of each reply
   * @return the objects, in the kernel's order
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public <T> List<T> dumpAmidChanges(
      MessageWriter request, int replyType, MessageDecoder<T> decoder) throws NetlinkException {
    return collect(request, MessageFlags.DUMP, Ending.DONE_AMID_CHANGES, replyType, decoder);
  }

  /** The writer is another's when the last attempt is over, not before. */
  private <T> List<T> collect(
      MessageWriter request, int flags, Ending ending, int replyType, MessageDecoder<T> decoder)
      throws NetlinkException {
    Collector<T> found = new Collector<>(decoder);
    try {
      for (int attempt = 1; attempt <= DUMP_ATTEMPTS; attempt++) {
        found.clear();
        Ending first = // the second attempt is the last one amid changes
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
   * Asks for the notifications of a group from now on.
   *
   * @param group the number of the group
   * @throws NetlinkException if there is no such group, or this process may not
   */
  public void join(int group) throws NetlinkException {
    try {
      transport.join(group);
    } catch (TransportException e) {
      throw failed("join netlink group " + group, e);
    }
  }

  /**
   * Waits for notifications and takes those of one datagram.
   *
   * @param timeout how long at most; zero not to wait
   * @param handler takes them
   * @return false if none came
   * @throws NetlinkException if the socket is closed or fails; {@link NetlinkException.Overrun} if
   *     notifications were lost; {@link NetlinkException.Malformed} if one is broken, or not from
   *     the kernel; {@link NetlinkException.Interrupted} if the thread was interrupted before or
   *     while it waited: the socket can be used further in these three cases
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
   * Waits for a datagram that does not consist of messages, such as those of {@link
   * #KOBJECT_UEVENT}.
   *
   * @param timeout how long at most; zero not to wait
   * @param handler takes it
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

  /** Only the kernel may answer; other processes may be permitted to send to this port. */
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
      throw new IllegalStateException("a handler may not use the socket it is called by");
    }
    conversing = true;
    RecordingTransport recorder = recording.get();
    if (recorder != null && recorder.isStopped()) {
      recording.compareAndSet(recorder, null); // what it holds is its owner's
      recorder = null;
    }
    transport = recorder == null ? base : recorder;
  }

  /** An interrupted thread gets a socket that is free, but does not wait for one. */
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

  /** Closes the socket. Threads that wait on it get {@link NetlinkException.Closed}. */
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
      } catch (TransportException e) { // the kernel has not got it, so there is no answer
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
        } else if (e.is(Errno.EINTR)) { // the end of the answer is waited for all the same
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

    /** Whether the next try may find what this one did not, as after ENOMEM. */
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
          // says nothing
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
      } catch (RuntimeException e) { // thrown when the answer is over
        bug = e;
      }
    }
  }

  /** Collects what a decoder makes. */
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
