package io.dra4j.dranet.dhcp;

import io.dra4j.linux.Errno;
import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.spi.DriverException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Leases an address for an interface from a DHCP server, and releases it. The interface must be up
 * but needs no address, and its configuration is not changed. The client requests leases of
 * unlimited time and never renews them. Immutable and thread-safe.
 */
public final class DhcpClient {

  static final int CLIENT_PORT = 68;
  static final int SERVER_PORT = 67;

  private static final IpAddress EVERYBODY = IpAddress.parse("255.255.255.255");
  private static final int MAX_REQUESTS = 4; // RFC 2131, 3.1: then it starts again
  private static final int MAX_REFUSALS = 3;
  private static final int MAX_ID = 128;
  private static final long FIRST_WAIT = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(8);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(200);
  private static final byte[] WANTED = {
    DhcpMessage.SUBNET_MASK,
    DhcpMessage.CLASSLESS_ROUTES, // RFC 3442: before the routers
    DhcpMessage.ROUTERS,
    DhcpMessage.LEASE_TIME
  };

  /** A listener that is called before the client accepts an offer, to record how to release it. */
  @FunctionalInterface
  public interface BeforeRequest {

    /**
     * Called before an offer is accepted.
     *
     * @param offer the offer that the client is about to accept
     * @throws DriverException if the client must not accept it
     */
    void taking(Offer offer) throws DriverException;
  }

  private final NetworkNamespace namespace;
  private final Duration time;
  private final SecureRandom random = new SecureRandom();

  private DhcpClient(NetworkNamespace namespace, Duration time) {
    this.namespace = namespace;
    this.time = time;
  }

  /**
   * {@return a client for the interfaces of a namespace}
   *
   * @param namespace the namespace of the interfaces; it must stay open while the client is used
   * @param time the time limit of a whole exchange for one lease
   */
  public static DhcpClient in(NetworkNamespace namespace, Duration time) {
    return new DhcpClient(namespace, time);
  }

  /**
   * Leases an address: discover, offer, request, acknowledgement (RFC 2131, 3.1). Messages are
   * repeated after 1, 2, 4 and then every 8 seconds. If a server refuses its own offer, the
   * exchange starts again, three times at most.
   *
   * @param link the interface; it must be up and of type Ethernet
   * @param client the name of the client; most servers assign the same address to the same name
   * @param before called before each offer is accepted
   * @return the lease
   * @throws DriverException if no server responds in time, or all refuse ({@link
   *     DriverException.Kind#UNAVAILABLE}), or {@code before} threw
   * @throws IOException if the kernel refuses an operation, or the thread was interrupted
   */
  public Lease lease(Link link, String client, BeforeRequest before)
      throws IOException, DriverException {
    if (link.address().length() != 6) {
      throw DriverException.invalid(
          link.name()
              + " cannot use DHCP, which is supported only on Ethernet: its hardware"
              + " address has "
              + link.address().length()
              + " bytes");
    }
    try (PacketSocket socket = PacketSocket.open(namespace, link.index())) {
      return new Exchange(socket, link, identifier(client), before).run();
    }
  }

  /**
   * Releases an address, with one message that servers do not acknowledge.
   *
   * @param link the interface of the lease; it must be up
   * @param client the name of the client, as passed to {@link #lease}
   * @param offer the accepted offer
   * @throws IOException if the kernel refuses an operation
   */
  public void release(Link link, String client, Offer offer) throws IOException {
    Map<Integer, byte[]> options = new TreeMap<>();
    options.put(DhcpMessage.MESSAGE_TYPE, new byte[] {DhcpMessage.RELEASE});
    options.put(DhcpMessage.SERVER, offer.server().toBytes());
    options.put(DhcpMessage.CLIENT_ID, identifier(client));
    DhcpMessage message =
        new DhcpMessage(
            false, random.nextInt(), 0, link.address(), offer.address(), IpAddress.ANY_V4, options);
    try (PacketSocket socket = PacketSocket.open(namespace, link.index())) {
      socket.send(
          new UdpFrame(
                  link.address(),
                  offer.serverLink(),
                  offer.address(),
                  offer.server(),
                  CLIENT_PORT,
                  SERVER_PORT,
                  ByteBuffer.wrap(message.encode()))
              .encode());
    }
  }

  /** Returns an identifier of type 0 (RFC 2132, 9.14), unlike those of the host's own leases. */
  private static byte[] identifier(String client) {
    byte[] bytes = client.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_ID) {
      try {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        bytes = HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
    return ByteBuffer.allocate(1 + bytes.length).put((byte) 0).put(bytes).array();
  }

  /** The exchange of messages for one lease. */
  private final class Exchange {

    private final PacketSocket socket;
    private final Link link;
    private final byte[] identifier;
    private final BeforeRequest before;
    private final long begin = System.nanoTime();
    private final long end = begin + time.toNanos();
    private int transaction;
    private int refusals;
    private int ignored;
    private String lastIgnored = "";

    Exchange(PacketSocket socket, Link link, byte[] identifier, BeforeRequest before) {
      this.socket = socket;
      this.link = link;
      this.identifier = identifier;
      this.before = before;
    }

    Lease run() throws IOException, DriverException {
      while (true) {
        transaction = random.nextInt();
        Offer offer = discover();
        before.taking(offer);
        Lease lease = request(offer);
        if (lease != null) {
          return lease;
        }
      }
    }

    private Offer discover() throws IOException, DriverException {
      Map<Integer, byte[]> options = options(DhcpMessage.DISCOVER);
      for (long wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
        send(options);
        long until = Math.min(end, System.nanoTime() + wait + jitter());
        for (Optional<Answer> answer = next(until); answer.isPresent(); answer = next(until)) {
          try {
            Optional<Offer> offer = offer(answer.get());
            if (offer.isPresent()) {
              return offer.get();
            }
          } catch (MalformedPacketException e) {
            ignore(e);
          }
        }
        if (System.nanoTime() - end >= 0) {
          throw noAnswer("no DHCP server offered an address");
        }
      }
    }

    private Optional<Offer> offer(Answer answer) throws MalformedPacketException {
      if (answer.message.type() != DhcpMessage.OFFER) {
        return Optional.empty();
      }
      IpAddress server = server(answer.message);
      IpAddress address = answer.message.yourAddress();
      if (!LeaseReader.isOneHost(address) || !LeaseReader.isOneHost(server)) {
        throw new MalformedPacketException(
            "an offer of " + address + " by server " + server + ": expected addresses of hosts");
      }
      return Optional.of(new Offer(address, server, answer.source));
    }

    private static IpAddress server(DhcpMessage message) throws MalformedPacketException {
      return message
          .address(DhcpMessage.SERVER)
          .orElseThrow(() -> new MalformedPacketException("no server identifier (option 54)"));
    }

    /** Requests the offered address; null if refused or without response: the exchange restarts. */
    private @Nullable Lease request(Offer offer) throws IOException, DriverException {
      Map<Integer, byte[]> options = options(DhcpMessage.REQUEST);
      options.put(DhcpMessage.REQUESTED_ADDRESS, offer.address().toBytes());
      options.put(DhcpMessage.SERVER, offer.server().toBytes());
      long wait = FIRST_WAIT;
      for (int i = 0; i < MAX_REQUESTS; i++, wait *= 2) {
        send(options);
        long until = Math.min(end, System.nanoTime() + wait + jitter());
        for (Optional<Answer> answer = next(until); answer.isPresent(); answer = next(until)) {
          DhcpMessage message = answer.get().message;
          try {
            int type = message.type();
            boolean decides = type == DhcpMessage.ACK || type == DhcpMessage.NAK;
            if (!decides || !server(message).equals(offer.server())) {
              continue; // a late offer, or a message of another exchange
            }
            if (type == DhcpMessage.NAK) {
              refused(offer, message);
              return null;
            }
            if (!message.yourAddress().equals(offer.address())) {
              throw new MalformedPacketException(
                  "offered " + offer.address() + ", acknowledged " + message.yourAddress());
            }
            return LeaseReader.read(message);
          } catch (MalformedPacketException e) {
            ignore(e);
          }
        }
        if (System.nanoTime() - end >= 0) {
          throw noAnswer(
              "DHCP server "
                  + offer.server()
                  + " offered "
                  + offer.address()
                  + " but did not acknowledge it");
        }
      }
      return null;
    }

    private void refused(Offer offer, DhcpMessage message) throws IOException, DriverException {
      if (++refusals == MAX_REFUSALS) {
        byte[] reason = message.options().getOrDefault(DhcpMessage.REASON, new byte[0]);
        String text = new String(reason, StandardCharsets.US_ASCII).replaceAll("[^ -~]", "?");
        throw DriverException.unavailable(
            "DHCP server %s on %s offered %s and then refused it, %d times%s"
                .formatted(
                    offer.server(),
                    link.name(),
                    offer.address(),
                    refusals,
                    text.isEmpty() ? "" : ": " + text));
      }
      next(Math.min(end, System.nanoTime() + PAUSE)); // ignores all packets that arrive now
    }

    private DriverException noAnswer(String what) {
      String text = what + " on " + link.name() + " within " + time.toMillis() + " ms";
      return DriverException.unavailable(
          ignored == 0
              ? text
              : text + "; malformed responses: " + ignored + ", the last one: " + lastIgnored);
    }

    private void ignore(MalformedPacketException e) {
      ignored++;
      lastIgnored = String.valueOf(e.getMessage());
    }

    private long jitter() {
      return TimeUnit.MILLISECONDS.toNanos(random.nextInt(250));
    }

    private Map<Integer, byte[]> options(int type) {
      Map<Integer, byte[]> options = new TreeMap<>();
      options.put(DhcpMessage.MESSAGE_TYPE, new byte[] {(byte) type});
      options.put(DhcpMessage.LEASE_TIME, new byte[] {-1, -1, -1, -1}); // unlimited
      options.put(DhcpMessage.WANTED_OPTIONS, WANTED.clone());
      options.put(DhcpMessage.CLIENT_ID, identifier);
      return options;
    }

    private void send(Map<Integer, byte[]> options) throws IOException {
      int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
      DhcpMessage message =
          new DhcpMessage(
              false,
              transaction,
              seconds,
              link.address(),
              IpAddress.ANY_V4,
              IpAddress.ANY_V4,
              options);
      try {
        socket.send(
            new UdpFrame(
                    link.address(),
                    UdpFrame.BROADCAST,
                    IpAddress.ANY_V4,
                    EVERYBODY,
                    CLIENT_PORT,
                    SERVER_PORT,
                    ByteBuffer.wrap(message.encode()))
                .encode());
      } catch (LinuxException e) {
        if (!e.is(Errno.ENOBUFS)) { // a full queue counts as a lost packet
          throw e;
        }
      }
    }

    /** Returns the next response to this exchange; empty if the time is over. */
    private Optional<Answer> next(long until) throws IOException {
      while (true) {
        Optional<ByteBuffer> frame = socket.receive(until);
        if (frame.isEmpty()) {
          return Optional.empty();
        }
        try {
          Optional<Answer> answer = answer(frame.get());
          if (answer.isPresent()) {
            return answer;
          }
        } catch (MalformedPacketException e) {
          ignore(e);
        }
      }
    }

    private Optional<Answer> answer(ByteBuffer frame) throws MalformedPacketException {
      Optional<UdpFrame> found = UdpFrame.decode(frame);
      if (found.isEmpty()
          || found.get().sourcePort() != SERVER_PORT
          || found.get().destinationPort() != CLIENT_PORT) {
        return Optional.empty();
      }
      UdpFrame datagram = found.get();
      HardwareAddress to = datagram.destination();
      if (!to.equals(link.address()) && !to.equals(UdpFrame.BROADCAST)) {
        return Optional.empty();
      }
      DhcpMessage message = DhcpMessage.decode(datagram.payload());
      boolean ours =
          message.reply()
              && message.transaction() == transaction
              && message.client().equals(link.address());
      return ours ? Optional.of(new Answer(datagram.source(), message)) : Optional.empty();
    }
  }

  private record Answer(HardwareAddress source, DhcpMessage message) {}
}
