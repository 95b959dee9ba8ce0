package io.dra4j.cel;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.function.Predicate;

/** The functions on addresses, after {@code ip.go} and {@code cidr.go} of the API server. */
final class IpFunctions {

  private static final CidrValue BROADCAST = cidr("255.255.255.255/32");

  private IpFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .global("ip", "string_to_ip", IpValue.TYPE, STRING, String.class, IpFunctions::ip)
        .global(
            "isIP", "is_ip", BOOL, STRING, String.class, text -> IpValue.parse(text).isPresent())
        .global(
            "ip.isCanonical",
            "ip_is_canonical",
            BOOL,
            STRING,
            String.class,
            text -> ip(text).toString().equals(text))
        .global("string", "ip_to_string", STRING, IpValue.TYPE, IpValue.class, IpValue::toString)
        .member(
            "family",
            "ip_family",
            INT,
            IpValue.TYPE,
            IpValue.class,
            ip -> ip.address() instanceof Inet4Address ? 4L : 6L);
    test(library, "isUnspecified", "ip_is_unspecified", InetAddress::isAnyLocalAddress);
    test(library, "isLoopback", "ip_is_loopback", InetAddress::isLoopbackAddress);
    test(library, "isLinkLocalMulticast", "ip_is_link_local_multicast", InetAddress::isMCLinkLocal);
    test(
        library, "isLinkLocalUnicast", "ip_is_link_local_unicast", InetAddress::isLinkLocalAddress);
    test(library, "isGlobalUnicast", "ip_is_global_unicast", IpFunctions::isGlobalUnicast);
    addCidrTo(library);
  }

  private static void addCidrTo(FunctionLibrary.Builder library) {
    library
        .global("cidr", "string_to_cidr", CidrValue.TYPE, STRING, String.class, IpFunctions::cidr)
        .global(
            "isCIDR",
            "is_cidr",
            BOOL,
            STRING,
            String.class,
            text -> CidrValue.parse(text).isPresent())
        .global(
            "string",
            "cidr_to_string",
            STRING,
            CidrValue.TYPE,
            CidrValue.class,
            CidrValue::toString)
        .member(
            "containsIP",
            "cidr_contains_ip_string",
            BOOL,
            CidrValue.TYPE,
            CidrValue.class,
            STRING,
            String.class,
            (range, text) -> range.contains(ip(text)))
        .member(
            "containsIP",
            "cidr_contains_ip_ip",
            BOOL,
            CidrValue.TYPE,
            CidrValue.class,
            IpValue.TYPE,
            IpValue.class,
            (range, ip) -> range.contains(ip))
        .member(
            "containsCIDR",
            "cidr_contains_cidr_string",
            BOOL,
            CidrValue.TYPE,
            CidrValue.class,
            STRING,
            String.class,
            (range, text) -> range.contains(cidr(text)))
        .member(
            "containsCIDR",
            "cidr_contains_cidr",
            BOOL,
            CidrValue.TYPE,
            CidrValue.class,
            CidrValue.TYPE,
            CidrValue.class,
            (range, other) -> range.contains(other))
        .member("ip", "cidr_ip", IpValue.TYPE, CidrValue.TYPE, CidrValue.class, CidrValue::ip)
        .member(
            "prefixLength",
            "cidr_prefix_length",
            INT,
            CidrValue.TYPE,
            CidrValue.class,
            range -> (long) range.bits())
        .member(
            "masked",
            "cidr_masked",
            CidrValue.TYPE,
            CidrValue.TYPE,
            CidrValue.class,
            CidrValue::masked);
  }

  @SuppressWarnings("Immutable") // the tests keep nothing
  private static void test(
      FunctionLibrary.Builder library,
      String function,
      String overload,
      Predicate<InetAddress> test) {
    library.member(
        function, overload, BOOL, IpValue.TYPE, IpValue.class, ip -> test.test(ip.address()));
  }

  private static boolean isGlobalUnicast(InetAddress address) {
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !BROADCAST.contains(new IpValue(address));
  }

  private static IpValue ip(String text) {
    return IpValue.parse(text)
        .orElseThrow(
            () ->
                new CelInvalidArgumentException(
                    "not an IP address without zone and not mapped from IPv4: " + text));
  }

  private static CidrValue cidr(String text) {
    return CidrValue.parse(text)
        .orElseThrow(() -> new CelInvalidArgumentException("not a range of addresses: " + text));
  }
}
