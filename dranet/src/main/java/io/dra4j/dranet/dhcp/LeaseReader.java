package io.dra4j.dranet.dhcp;

import io.dra4j.dranet.config.Prefixes;
import io.dra4j.dranet.config.RouteConfig;
import io.dra4j.netlink.route.IpAddress;
import io.dra4j.netlink.route.IpPrefix;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads leases from acknowledgements of servers. A lease that cannot be configured is malformed.
 */
final class LeaseReader {

  private static final int SCOPE_LINK = 253;
  private static final int MAX_ROUTES = 64;
  private static final long FOR_EVER = 0xffff_ffffL;

  private LeaseReader() {}

  static Lease read(DhcpMessage message) throws MalformedPacketException {
    IpAddress address = message.yourAddress();
    int length =
        maskLength(
            message
                .number(DhcpMessage.SUBNET_MASK)
                .orElseThrow(() -> new MalformedPacketException("no subnet mask (option 1)")));
    IpPrefix prefix = new IpPrefix(address, length);
    if (!isOneHost(address) || isEdge(address, length)) {
      throw new MalformedPacketException(prefix + " is not an address for an interface");
    }
    long seconds =
        message
            .number(DhcpMessage.LEASE_TIME)
            .orElseThrow(() -> new MalformedPacketException("no lease time (option 51)"));
    return new Lease(
        prefix,
        seconds == FOR_EVER ? OptionalLong.empty() : OptionalLong.of(seconds),
        routes(message, prefix));
  }

  private static int maskLength(long mask) throws MalformedPacketException {
    int length = Integer.numberOfLeadingZeros((int) ~mask);
    if (length == 0 || (length < 32 && (int) mask << length != 0)) {
      throw new MalformedPacketException("0x%08x is not a subnet mask (option 1)".formatted(mask));
    }
    return length;
  }

  /**
   * Returns whether the address is the first or last of its network. These belong to no host,
   * unless the network has only one or two addresses.
   */
  private static boolean isEdge(IpAddress address, int length) {
    int host = ByteBuffer.wrap(address.toBytes()).getInt() & (length == 32 ? 0 : -1 >>> length);
    return length < 31 && (host == 0 || host == -1 >>> length);
  }

  static boolean isOneHost(IpAddress address) {
    int first = address.toBytes()[0] & 0xff;
    return first != 0 && first != 127 && first < 224;
  }

  private static List<RouteConfig> routes(DhcpMessage message, IpPrefix own)
      throws MalformedPacketException {
    Map<IpPrefix, RouteConfig> routes = new LinkedHashMap<>();
    byte[] classless = message.options().get(DhcpMessage.CLASSLESS_ROUTES);
    if (classless != null) { // RFC 3442: the router option is ignored then
      readClassless(ByteBuffer.wrap(classless), routes);
    } else {
      byte[] routers = message.options().get(DhcpMessage.ROUTERS);
      if (routers != null) {
        if (routers.length == 0 || routers.length % 4 != 0) {
          throw new MalformedPacketException(
              "routers (option 3) of %d bytes".formatted(routers.length));
        }
        byte[] first = new byte[4];
        ByteBuffer.wrap(routers).get(first);
        add(routes, IpPrefix.ALL_V4, IpAddress.of(first));
      }
    }
    bringGatewaysNear(routes, own);
    return List.copyOf(routes.values());
  }

  private static void readClassless(ByteBuffer bytes, Map<IpPrefix, RouteConfig> routes)
      throws MalformedPacketException {
    while (bytes.hasRemaining()) {
      int length = bytes.get() & 0xff;
      int count = (length + 7) / 8;
      if (length > 32 || bytes.remaining() < count + 4) {
        throw new MalformedPacketException("classless routes (option 121) are truncated");
      }
      byte[] destination = new byte[4];
      bytes.get(destination, 0, count);
      byte[] gateway = new byte[4];
      bytes.get(gateway);
      add(
          routes,
          Prefixes.network(new IpPrefix(IpAddress.of(destination), length)),
          IpAddress.of(gateway));
    }
  }

  private static void add(
      Map<IpPrefix, RouteConfig> routes, IpPrefix destination, IpAddress gateway)
      throws MalformedPacketException {
    if (!gateway.isAny() && !isOneHost(gateway)) {
      throw new MalformedPacketException(gateway + " is not the address of a router");
    }
    if (routes.size() == MAX_ROUTES) {
      throw new MalformedPacketException("the lease has more than " + MAX_ROUTES + " routes");
    }
    routes.putIfAbsent(destination, route(destination, gateway.isAny() ? null : gateway));
  }

  private static RouteConfig route(IpPrefix destination, @Nullable IpAddress gateway) {
    return new RouteConfig(destination, gateway, null, gateway == null ? SCOPE_LINK : null, null);
  }

  /**
   * Adds link routes to gateways outside the network of the address. Clouds assign addresses with a
   * prefix length of 32, although the router is on the link.
   */
  private static void bringGatewaysNear(Map<IpPrefix, RouteConfig> routes, IpPrefix own) {
    List<IpPrefix> near = new ArrayList<>(List.of(own));
    routes.values().stream()
        .filter(one -> one.gateway() == null)
        .forEach(one -> near.add(one.destination()));
    for (RouteConfig one : List.copyOf(routes.values())) {
      IpAddress gateway = one.gateway();
      if (gateway != null
          && near.stream().noneMatch(network -> Prefixes.contains(network, gateway))) {
        IpPrefix host = IpPrefix.host(gateway);
        near.add(host);
        routes.put(host, route(host, null));
      }
    }
  }
}
