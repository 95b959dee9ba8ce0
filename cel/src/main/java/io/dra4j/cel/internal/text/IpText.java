package io.dra4j.cel.internal.text;

import java.util.Arrays;

/**
 * Texts of addresses and prefixes as the package {@code net/netip} of Go 1.26 reads them, with its
 * messages. Digits are ASCII, numbers of IPv4 decimal without leading zeros.
 */
public final class IpText {

  private static final int IPV4_BYTES = 4;
  private static final int IPV6_BYTES = 16;
  private static final int MAX_GROUP_DIGITS = 4;

  /** An address. */
  public static final class Address {

    private final byte[] bytes;
    private final String zone;

    private Address(byte[] bytes, String zone) {
      this.bytes = bytes;
      this.zone = zone;
    }

    /** {@return the bytes of the address: 4 of IPv4, 16 of IPv6} */
    public byte[] bytes() {
      return bytes.clone();
    }

    /** {@return the zone of an IPv6 address, or an empty text} */
    public String zone() {
      return zone;
    }

    /** {@return whether it is an IPv4 address in {@code ::ffff:0:0/96} (RFC 4291, 2.5.5.2)} */
    public boolean isMapped() {
      for (int i = 0; i < bytes.length - IPV4_BYTES; i++) {
        if (bytes[i] != (i < 10 ? 0 : -1)) {
          return false;
        }
      }
      return bytes.length == IPV6_BYTES;
    }
  }

  /**
   * An address and how many of its bits are the prefix.
   *
   * @param address the address, which may have more bits
   * @param bits how many
   */
  public record Prefix(Address address, int bits) {}

  private final String text;
  private String rest;

  private IpText(String text, String rest) {
    this.text = text;
    this.rest = rest;
  }

  /**
   * {@return the address that a text contains}
   *
   * @param text the address
   * @throws IllegalArgumentException if it is not an address, with the message of {@code ParseAddr}
   */
  public static Address address(String text) {
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '.' -> {
          byte[] bytes = new byte[IPV4_BYTES];
          new IpText(text, text).readIpv4(bytes, 0);
          return new Address(bytes, "");
        }
        case ':' -> {
          int percent = text.indexOf('%');
          String zone = percent < 0 ? "" : text.substring(percent + 1);
          if (percent >= 0 && zone.isEmpty()) {
            throw problem(text, "zone must be a non-empty string", "");
          }
          IpText address = new IpText(text, percent < 0 ? text : text.substring(0, percent));
          return new Address(address.readIpv6(), zone);
        }
        case '%' -> throw problem(text, "missing IPv6 address", "");
        default -> {}
      }
    }
    throw problem(text, "unable to parse IP", "");
  }

  /**
   * {@return the address and the length of a prefix, which a slash separates}
   *
   * @param text the prefix
   * @throws IllegalArgumentException if it is not a prefix, with the message of {@code ParsePrefix}
   */
  public static Prefix prefix(String text) {
    int slash = text.lastIndexOf('/');
    if (slash < 0) {
      throw prefixProblem(text, "no '/'");
    }
    Address address;
    try {
      address = address(text.substring(0, slash));
    } catch (IllegalArgumentException e) {
      throw prefixProblem(text, String.valueOf(e.getMessage()));
    }
    if (!address.zone().isEmpty()) {
      throw prefixProblem(text, "IPv6 zones cannot be present in a prefix");
    }
    String length = text.substring(slash + 1);
    if (!isNumber(length)) {
      throw prefixProblem(text, "bad bits after slash: " + GoText.quote(length));
    }
    int bits = length.length() > 3 ? Integer.MAX_VALUE : Integer.parseInt(length);
    if (bits > 8 * address.bytes().length) {
      throw prefixProblem(text, "prefix length out of range");
    }
    return new Prefix(address, bits);
  }

  /** Returns whether a text is a number of 64 bits without sign and leading zeros. */
  private static boolean isNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    String greatest = String.valueOf(Long.MAX_VALUE);
    return !text.isEmpty()
        && (text.length() == 1 || text.charAt(0) != '0')
        && (text.length() < greatest.length()
            || (text.length() == greatest.length() && text.compareTo(greatest) <= 0));
  }

  private void readIpv4(byte[] bytes, int from) {
    int field = 0;
    int digits = 0;
    int value = 0;
    for (int i = 0; i < rest.length(); i++) {
      char c = rest.charAt(i);
      if (c >= '0' && c <= '9') {
        if (digits == 1 && value == 0) {
          throw problem("IPv4 field has octet with leading zero", "");
        }
        value = value * 10 + c - '0';
        digits++;
        if (value > 255) {
          throw problem("IPv4 field has value >255", "");
        }
      } else if (c != '.') {
        throw problem("unexpected character", rest.substring(i));
      } else if (digits == 0 || i == rest.length() - 1) {
        throw problem("IPv4 field must have at least one digit", rest.substring(i));
      } else if (field == IPV4_BYTES - 1) {
        throw problem("IPv4 address too long", "");
      } else {
        bytes[from + field++] = (byte) value;
        value = 0;
        digits = 0;
      }
    }
    if (field < IPV4_BYTES - 1) {
      throw problem("IPv4 address too short", "");
    }
    bytes[from + field] = (byte) value;
  }

  private byte[] readIpv6() {
    byte[] bytes = new byte[IPV6_BYTES];
    int size = 0;
    int gap = -1;
    if (rest.startsWith("::")) {
      gap = 0;
      rest = rest.substring(2);
      if (rest.isEmpty()) {
        return bytes;
      }
    }
    while (size < IPV6_BYTES) {
      int digits = groupDigits();
      if (digits < rest.length() && rest.charAt(digits) == '.') {
        readEmbedded(bytes, size, gap);
        size += IPV4_BYTES;
        rest = "";
        break;
      }
      int group = Integer.parseInt(rest.substring(0, digits), 16);
      bytes[size++] = (byte) (group >> 8);
      bytes[size++] = (byte) group;
      rest = rest.substring(digits);
      if (rest.isEmpty()) {
        break;
      }
      readColon();
      if (rest.charAt(0) == ':') {
        if (gap >= 0) {
          throw problem("multiple :: in address", rest);
        }
        gap = size;
        rest = rest.substring(1);
        if (rest.isEmpty()) {
          break;
        }
      }
    }
    return filled(bytes, size, gap);
  }

  private int groupDigits() {
    int digits = 0;
    while (digits < rest.length() && isHexadecimal(rest.charAt(digits))) {
      if (++digits > MAX_GROUP_DIGITS) {
        throw problem("each group must have 4 or less digits", rest);
      }
    }
    if (digits == 0) {
      throw problem("each colon-separated field must have at least one digit", rest);
    }
    return digits;
  }

  /** Reads what separates two groups; more follows. */
  private void readColon() {
    if (rest.charAt(0) != ':') {
      throw problem("unexpected character, want colon", rest);
    } else if (rest.length() == 1) {
      throw problem("colon must be followed by more characters", rest);
    }
    rest = rest.substring(1);
  }

  private void readEmbedded(byte[] bytes, int size, int gap) {
    if (gap < 0 && size != IPV6_BYTES - IPV4_BYTES) {
      throw problem("embedded IPv4 address must replace the final 2 fields of the address", rest);
    } else if (size > IPV6_BYTES - IPV4_BYTES) {
      throw problem("too many hex fields to fit an embedded IPv4 at the end of the address", rest);
    }
    readIpv4(bytes, size);
  }

  /** Puts zeros where the address has a double colon. */
  private byte[] filled(byte[] bytes, int size, int gap) {
    if (!rest.isEmpty()) {
      throw problem("trailing garbage after address", rest);
    } else if (size == IPV6_BYTES) {
      if (gap >= 0) {
        throw problem("the :: must expand to at least one field of zeros", "");
      }
      return bytes;
    } else if (gap < 0) {
      throw problem("address string too short", "");
    }
    int behind = size - gap;
    System.arraycopy(bytes, gap, bytes, IPV6_BYTES - behind, behind);
    Arrays.fill(bytes, gap, IPV6_BYTES - behind, (byte) 0);
    return bytes;
  }

  private static boolean isHexadecimal(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private IllegalArgumentException problem(String what, String at) {
    return problem(text, what, at);
  }

  private static IllegalArgumentException problem(String text, String what, String at) {
    return new IllegalArgumentException(
        "ParseAddr("
            + GoText.quote(text)
            + "): "
            + what
            + (at.isEmpty() ? "" : " (at " + GoText.quote(at) + ")"));
  }

  private static IllegalArgumentException prefixProblem(String text, String what) {
    return new IllegalArgumentException("netip.ParsePrefix(" + GoText.quote(text) + "): " + what);
  }
}
