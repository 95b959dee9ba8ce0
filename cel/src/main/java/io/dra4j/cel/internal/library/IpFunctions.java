package io.dra4j.cel.internal.library;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.dra4j.cel.internal.value.CidrValue;
import io.dra4j.cel.internal.value.IpValue;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The functions on addresses, after {@code ip.go} and {@code cidr.go} of the API server. */
final class IpFunctions {

  private static final FunctionCost READ = new FunctionCost(Estimates.text(0), CallCost.FIRST);

  private static final FunctionCost CANONICAL =
      new FunctionCost(
          args -> new CallEstimate(args.get(0).sizeOrDeclared().times(2 * Estimates.TEXT)),
          CallCost.FIRST_TWICE);

  // 4 bytes of IPv4 to 16 of IPv6, of the range and of the address.
  private static final Estimate BOTH =
      new Estimate(4, 16).plus(new Estimate(4, 16)).times(Estimates.TEXT);
  private static final Estimate RANGE =
      BOTH.plus(new Estimate(4, 16).times(Estimates.TEXT)).plus(Estimate.ONE);

  private static final FunctionCost CONTAINS =
      new FunctionCost(
          args -> new CallEstimate(BOTH), CallCost.before((range, ip) -> containing(range)));
  private static final FunctionCost CONTAINS_TEXT =
      new FunctionCost(
          args -> new CallEstimate(BOTH.plus(reading(args))),
          CallCost.before((range, ip) -> containing(range) + CallCost.traverse(CallCost.size(ip))));
  private static final FunctionCost COVERS =
      new FunctionCost(
          args -> new CallEstimate(RANGE), CallCost.before((range, other) -> covering(range)));
  private static final FunctionCost COVERS_TEXT =
      new FunctionCost(
          args -> new CallEstimate(RANGE.plus(reading(args))),
          CallCost.before(
              (range, other) -> covering(range) + CallCost.traverse(CallCost.size(other))));

  private static final CidrValue BROADCAST = CidrValue.parse("255.255.255.255/32");

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      cidr
        string_to_cidr (string) net.CIDR
      containsCIDR
        cidr_contains_cidr_string net.CIDR.(string) bool
        cidr_contains_cidr net.CIDR.(net.CIDR) bool
      containsIP
        cidr_contains_ip_string net.CIDR.(string) bool
        cidr_contains_ip_ip net.CIDR.(net.IP) bool
      family
        ip_family net.IP.() int
      ip
        string_to_ip (string) net.IP
        cidr_ip net.CIDR.() net.IP
      ip.isCanonical
        ip_is_canonical (string) bool
      isCIDR
        is_cidr (string) bool
      isGlobalUnicast
        ip_is_global_unicast net.IP.() bool
      isIP
        is_ip (string) bool
      isLinkLocalMulticast
        ip_is_link_local_multicast net.IP.() bool
      isLinkLocalUnicast
        ip_is_link_local_unicast net.IP.() bool
      isLoopback
        ip_is_loopback net.IP.() bool
      isMask
        cidr_is_mask net.CIDR.() bool
      isUnspecified
        ip_is_unspecified net.IP.() bool
      masked
        cidr_masked net.CIDR.() net.CIDR
      prefixLength
        cidr_prefix_length net.CIDR.() int
      string
        ip_to_string (net.IP) string
        cidr_to_string (net.CIDR) string
      """;

  private IpFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    addAddresses(library, dialect.strict());
    addRanges(library);
    // Calls whose argument may be a text or not: what the text costs is not counted.
    library
        .ambiguous("ip", READ.call())
        .ambiguous("containsIP", CONTAINS.call())
        .ambiguous("containsCIDR", COVERS.call());
  }

  private static void addAddresses(FunctionLibrary.Builder library, boolean mapped) {
    library
        .add("string_to_ip", READ, String.class, mapped ? IpValue::parseMapped : IpValue::parse)
        .add("is_ip", READ, String.class, text -> isRead(() -> IpValue.parse(text)))
        .add(
            "ip_is_canonical",
            CANONICAL,
            String.class,
            text -> IpValue.parse(text).toString().equals(text))
        .add("ip_to_string", FunctionCost.ONE, IpValue.class, IpValue::toString)
        .add(
            "ip_family",
            FunctionCost.ONE,
            IpValue.class,
            ip -> ip.address() instanceof Inet4Address ? 4L : 6L);
    test(library, "ip_is_unspecified", InetAddress::isAnyLocalAddress);
    test(library, "ip_is_loopback", InetAddress::isLoopbackAddress);
    test(library, "ip_is_link_local_multicast", InetAddress::isMCLinkLocal);
    test(library, "ip_is_link_local_unicast", InetAddress::isLinkLocalAddress);
    test(library, "ip_is_global_unicast", IpFunctions::isGlobalUnicast);
  }

  private static void addRanges(FunctionLibrary.Builder library) {
    library
        .add("string_to_cidr", READ, String.class, CidrValue::parse)
        .add("is_cidr", READ, String.class, text -> isRead(() -> CidrValue.parse(text)))
        .add("cidr_to_string", FunctionCost.ONE, CidrValue.class, CidrValue::toString)
        .add(
            "cidr_contains_ip_string",
            CONTAINS_TEXT,
            CidrValue.class,
            String.class,
            IpFunctions::contains)
        .add(
            "cidr_contains_ip_ip",
            CONTAINS,
            CidrValue.class,
            IpValue.class,
            (range, ip) -> range.contains(ip))
        .add(
            "cidr_contains_cidr_string",
            COVERS_TEXT,
            CidrValue.class,
            String.class,
            (range, text) -> range.contains(CidrValue.parse(text)))
        .add(
            "cidr_contains_cidr",
            COVERS,
            CidrValue.class,
            CidrValue.class,
            (range, other) -> range.contains(other))
        .add("cidr_ip", FunctionCost.ONE, CidrValue.class, CidrValue::ip)
        .add("cidr_prefix_length", FunctionCost.ONE, CidrValue.class, range -> (long) range.bits())
        .add("cidr_masked", FunctionCost.ONE, CidrValue.class, CidrValue::masked)
        .add(
            "cidr_is_mask",
            FunctionCost.ONE,
            CidrValue.class,
            range -> range.equals(range.masked()));
  }

  private static Estimate reading(List<Argument> args) {
    return args.get(1).sizeOrDeclared().times(Estimates.TEXT);
  }

  private static long containing(@Nullable Object range) {
    return CallCost.traverse(2 * CallCost.size(range));
  }

  private static long covering(@Nullable Object range) {
    return containing(range) + CallCost.traverse(CallCost.size(range)) + 1;
  }

  @SuppressWarnings("Immutable") // the tests keep nothing
  private static void test(
      FunctionLibrary.Builder library, String overload, Predicate<InetAddress> test) {
    library.add(overload, FunctionCost.ONE, IpValue.class, ip -> test.test(ip.address()));
  }

  private static boolean isGlobalUnicast(InetAddress address) {
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !BROADCAST.contains(IpValue.of(address.getAddress()));
  }

  /** To Go the error of reading the address is an argument of a wrong type. */
  private static boolean contains(CidrValue range, String text) {
    IpValue ip;
    try {
      ip = IpValue.parse(text);
    } catch (CelInvalidArgumentException e) {
      throw new CelInvalidArgumentException("no such overload");
    }
    return range.contains(ip);
  }

  private static boolean isRead(Supplier<?> reader) {
    try {
      Object unused = reader.get();
      return true;
    } catch (CelInvalidArgumentException e) {
      return false;
    }
  }
}
