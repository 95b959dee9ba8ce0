package io.dra4j.netlink.route;

/**
 * An address with the length of its network part. The address may have bits after the network part:
 * {@code 192.0.2.5/24} is an address in a network, {@code 192.0.2.0/24} the network.
 *
 * <pre>{@code
 * Route route = Route.to(IpPrefix.parse("198.51.100.0/24")).withLink(link.index());
 * }</pre>
 *
 * @param address the address
 * @param length the length of the network part in bits
 */
public record IpPrefix(IpAddress address, int length) {

  /** Everything in IPv4. */
  public static final IpPrefix ALL_V4 = new IpPrefix(IpAddress.ANY_V4, 0);

  /** Everything in IPv6. */
  public static final IpPrefix ALL_V6 = new IpPrefix(IpAddress.ANY_V6, 0);

  /**
   * Checks the length. {@inheritDoc}
   *
   * @throws IllegalArgumentException if the address has fewer bits
   */
  public IpPrefix {
    if (length < 0 || length > address.bits()) {
      throw new IllegalArgumentException(
          address + "/" + length + ": the length must be from 0 to " + address.bits());
    }
  }

  /**
   * {@return a prefix for a single address: the address with all its bits}
   *
   * @param address the address
   */
  public static IpPrefix host(IpAddress address) {
    return new IpPrefix(address, address.bits());
  }

  /**
   * {@return a prefix from text, as people write it}
   *
   * @param text such as {@code 192.0.2.5/24}, no leading zeros in the length (octal in {@code ip})
   * @throws IllegalArgumentException if the text has another form
   */
  public static IpPrefix parse(String text) {
    int slash = text.indexOf('/');
    String length = slash < 0 ? "" : text.substring(slash + 1);
    boolean octal = length.length() > 1 && length.startsWith("0");
    if (length.isEmpty()
        || length.length() > 3
        || octal
        || !length.chars().allMatch(IpPrefix::isDigit)) {
      throw new IllegalArgumentException("not an address and a length: '" + text + "'");
    }
    return new IpPrefix(IpAddress.parse(text.substring(0, slash)), Integer.parseInt(length));
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  @Override
  public String toString() {
    return address + "/" + length;
  }
}
