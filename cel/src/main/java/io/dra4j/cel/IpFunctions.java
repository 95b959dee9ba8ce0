package io.dra4j.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.function.Predicate;

/** The functions on addresses, after {@code ip.go} and {@code cidr.go} of the API server. */
final class IpFunctions {

  private static final CidrValue BROADCAST = cidr("255.255.255.255/32");

  private IpFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    boolean mapped = dialect.strict();
    library
        .add(
            "string_to_ip",
            String.class,
            text -> mapped ? IpValue.parseMapped(text).orElseThrow(() -> refused(text)) : ip(text))
        .add("is_ip", String.class, text -> IpValue.parse(text).isPresent())
        .add("ip_is_canonical", String.class, text -> ip(text).toString().equals(text))
        .add("ip_to_string", IpValue.class, IpValue::toString)
        .add("ip_family", IpValue.class, ip -> ip.address() instanceof Inet4Address ? 4L : 6L);
    test(library, "ip_is_unspecified", InetAddress::isAnyLocalAddress);
    test(library, "ip_is_loopback", InetAddress::isLoopbackAddress);
    test(library, "ip_is_link_local_multicast", InetAddress::isMCLinkLocal);
    test(library, "ip_is_link_local_unicast", InetAddress::isLinkLocalAddress);
    test(library, "ip_is_global_unicast", IpFunctions::isGlobalUnicast);
    library
        .add("string_to_cidr", String.class, IpFunctions::cidr)
        .add("is_cidr", String.class, text -> CidrValue.parse(text).isPresent())
        .add("cidr_to_string", CidrValue.class, CidrValue::toString)
        .add(
            "cidr_contains_ip_string",
            CidrValue.class,
            String.class,
            (range, text) -> range.contains(ip(text)))
        .add(
            "cidr_contains_ip_ip",
            CidrValue.class,
            IpValue.class,
            (range, ip) -> range.contains(ip))
        .add(
            "cidr_contains_cidr_string",
            CidrValue.class,
            String.class,
            (range, text) -> range.contains(cidr(text)))
        .add(
            "cidr_contains_cidr",
            CidrValue.class,
            CidrValue.class,
            (range, other) -> range.contains(other))
        .add("cidr_ip", CidrValue.class, CidrValue::ip)
        .add("cidr_prefix_length", CidrValue.class, range -> (long) range.bits())
        .add("cidr_masked", CidrValue.class, CidrValue::masked);
  }

  @SuppressWarnings("Immutable") // the tests keep nothing
  private static void test(
      FunctionLibrary.Builder library, String overload, Predicate<InetAddress> test) {
    library.add(overload, IpValue.class, ip -> test.test(ip.address()));
  }

  private static boolean isGlobalUnicast(InetAddress address) {
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !BROADCAST.contains(new IpValue(address));
  }

  private static IpValue ip(String text) {
    return IpValue.parse(text).orElseThrow(() -> refused(text));
  }

  private static CelInvalidArgumentException refused(String text) {
    return new CelInvalidArgumentException(
        "not an IP address without zone and not mapped from IPv4: " + text);
  }

  private static CidrValue cidr(String text) {
    return CidrValue.parse(text)
        .orElseThrow(() -> new CelInvalidArgumentException("not a range of addresses: " + text));
  }
}
