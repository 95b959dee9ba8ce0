package io.dra4j.netlink.route;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An IPv4 or IPv6 address, for example {@code IpAddress.parse("192.0.2.5")}, of 4 or 16 bytes in a
 * message. Immutable. Unlike {@link InetAddress} it never queries a name server, and it
 * distinguishes IPv4-mapped IPv6 addresses from IPv4 addresses, as the kernel does.
 */
public final class IpAddress implements Comparable<IpAddress> {

  /** {@code 0.0.0.0}. */
  public static final IpAddress ANY_V4 = new IpAddress(false, 0, 0);

  /** {@code ::}. */
  public static final IpAddress ANY_V6 = new IpAddress(true, 0, 0);

  private static final int LONGEST = 45; // of a text: INET6_ADDRSTRLEN without the zero byte
  private static final Pattern GROUP = Pattern.compile("[0-9A-Fa-f]{1,4}");

  /** Some programs read leading zeros as octal, so they are rejected, as in Go's net package. */
  private static final Pattern OCTET = Pattern.compile("0|[1-9][0-9]{0,2}");

  /** Groups of zeros, with their separators. */
  private static final Pattern ZEROS = Pattern.compile("(^|:)0(:0)+(:|$)");

  private final long high;
  private final long low;
  private final boolean v6;

  private IpAddress(boolean v6, long high, long low) {
    this.v6 = v6;
    this.high = high;
    this.low = low;
  }

  /**
   * {@return an address from its bytes}
   *
   * @param bytes 4 or 16 bytes, in the order of the text form
   * @throws IllegalArgumentException if there is another number of bytes
   */
  public static IpAddress of(byte[] bytes) {
    if (bytes.length != 4 && bytes.length != 16) {
      throw new IllegalArgumentException(
          "an IP address of " + bytes.length + " bytes, expected 4 or 16");
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < bytes.length; i++) {
      high = (high << 8) | (low >>> 56);
      low = (low << 8) | Byte.toUnsignedLong(bytes[i]);
    }
    return new IpAddress(bytes.length == 16, high, low);
  }

  /**
   * {@return an address from text, as people write it}
   *
   * @param text {@code 192.0.2.1} or a form of RFC 4291, 2.2, without zone
   * @throws IllegalArgumentException if the text has another form
   */
  public static IpAddress parse(String text) {
    if (text.length() > LONGEST) {
      throw invalid(text);
    }
    if (text.indexOf(':') < 0) {
      return new IpAddress(false, 0, v4(text, text));
    }
    int gap = text.indexOf("::");
    List<Integer> groups = groups(gap < 0 ? text : text.substring(0, gap), gap < 0, text);
    if (gap >= 0) {
      List<Integer> behind = groups(text.substring(gap + 2), true, text);
      int zeros = 8 - groups.size() - behind.size();
      groups.addAll(Collections.nCopies(Math.max(zeros, 0), 0));
      groups.addAll(behind);
      if (zeros < 1) {
        throw invalid(text);
      }
    }
    if (groups.size() != 8) {
      throw invalid(text);
    }
    long high = 0;
    long low = 0;
    for (int group : groups) {
      high = (high << 16) | (low >>> 48);
      low = (low << 16) | group;
    }
    return new IpAddress(true, high, low);
  }

  /** Parses the groups of 16 bits on one side of a gap; the last two can be written as IPv4. */
  private static List<Integer> groups(String part, boolean mayEndInV4, String text) {
    List<Integer> groups = new ArrayList<>();
    String[] words = part.isEmpty() ? new String[0] : part.split(":", -1);
    for (int i = 0; i < words.length; i++) {
      if (mayEndInV4 && i == words.length - 1 && words[i].indexOf('.') >= 0) {
        long v4 = v4(words[i], text);
        groups.add((int) (v4 >>> 16));
        groups.add((int) (v4 & 0xffff));
      } else {
        groups.add(group(words[i], text));
      }
    }
    return groups;
  }

  private static int group(String part, String text) {
    if (!GROUP.matcher(part).matches()) {
      throw invalid(text);
    }
    return Integer.parseInt(part, 16);
  }

  private static long v4(String part, String text) {
    String[] numbers = part.split("\\.", -1);
    long value = 0;
    for (String number : numbers) {
      if (!OCTET.matcher(number).matches() || Integer.parseInt(number) > 255) {
        throw invalid(text);
      }
      value = (value << 8) | Integer.parseInt(number);
    }
    if (numbers.length != 4) {
      throw invalid(text);
    }
    return value;
  }

  private static IllegalArgumentException invalid(String text) {
    return new IllegalArgumentException("not an IP address: '" + text + "'");
  }

  /**
   * {@return the same address as one of the JDK}
   *
   * @param address the address; a scope is dropped
   */
  public static IpAddress of(InetAddress address) {
    return of(address.getAddress());
  }

  /** {@return the address as a class of the JDK} */
  public InetAddress toInetAddress() {
    try {
      return v6
          ? Inet6Address.getByAddress(null, toBytes(), -1)
          : InetAddress.getByAddress(toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException("4 or 16 bytes were refused", e);
    }
  }

  /** {@return whether this is an IPv6 address; false for IPv4} */
  public boolean isV6() {
    return v6;
  }

  /** {@return the length of the address in bits: 32 or 128} */
  public int bits() {
    return v6 ? 128 : 32;
  }

  /** Returns the address family: AF_INET or AF_INET6. */
  int family() {
    return v6 ? Family.INET6 : Family.INET;
  }

  /** {@return whether this is {@code 0.0.0.0} or {@code ::}} */
  public boolean isAny() {
    return (high | low) == 0;
  }

  /** {@return whether it is valid only on its link: {@code 169.254.0.0/16}, {@code fe80::/10}} */
  public boolean isLinkLocal() {
    return v6 ? high >>> 54 == 0x3fa : low >>> 16 == 0xa9fe;
  }

  /** {@return the 4 or 16 bytes of the address, in the order of the text form} */
  public byte[] toBytes() {
    byte[] bytes = new byte[v6 ? 16 : 4];
    for (int i = 0; i < bytes.length; i++) {
      int shift = 8 * (bytes.length - 1 - i);
      bytes[i] = (byte) (shift >= 64 ? high >>> (shift - 64) : low >>> shift);
    }
    return bytes;
  }

  @Override
  public int compareTo(IpAddress other) {
    int byFamily = Boolean.compare(v6, other.v6);
    int byHigh = byFamily != 0 ? byFamily : Long.compareUnsigned(high, other.high);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IpAddress address
        && v6 == address.v6
        && high == address.high
        && low == address.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high * 31 + low) * 31 + Boolean.hashCode(v6);
  }

  /** Returns the address in the form of RFC 5952. */
  @Override
  public String toString() {
    if (!v6) {
      return (low >> 24) + "." + ((low >> 16) & 255) + "." + ((low >> 8) & 255) + "." + (low & 255);
    }
    if (high == 0 && low >>> 32 == 0xffff) {
      return "::ffff:" + new IpAddress(false, 0, low & 0xffff_ffffL);
    }
    String text =
        IntStream.range(0, 8)
            .map(i -> (int) ((i < 4 ? high : low) >>> (48 - 16 * (i & 3))) & 0xffff)
            .mapToObj(Integer::toHexString)
            .collect(Collectors.joining(":"));
    String longest = ""; // a single zero is not shortened
    for (MatchResult run : ZEROS.matcher(text).results().toList()) {
      longest = zeros(run.group()) > zeros(longest) ? run.group() : longest;
    }
    int at = text.indexOf(longest);
    return longest.isEmpty()
        ? text
        : text.substring(0, at) + "::" + text.substring(at + longest.length());
  }

  private static long zeros(String run) {
    return run.chars().filter(c -> c == '0').count();
  }
}
