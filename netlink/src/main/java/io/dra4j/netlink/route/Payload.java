package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The message of an object: header and attributes, by the kernel's names. The types of objects
 * ({@link Route}, {@link Rule}) are views of it, so an object is written exactly as it is stored,
 * and objects are equal if their messages are equal. Immutable; each {@code with} returns another
 * payload.
 */
final class Payload {

  private final Layout layout;
  private final byte[] header;
  private final Attributes attributes;

  private Payload(Layout layout, byte[] header, Attributes attributes) {
    this.layout = layout;
    this.header = header;
    this.attributes = attributes;
  }

  /** Returns a payload with all fields zero and without attributes. */
  static Payload of(Layout layout) {
    return new Payload(layout, new byte[layout.size()], Attributes.none(layout.attributes()));
  }

  /** Returns the header of a message, without attributes. */
  static Payload of(Layout layout, Message message) throws NetlinkException.Malformed {
    return new Payload(
        layout, message.bytes(0, layout.size()), Attributes.none(layout.attributes()));
  }

  static Payload read(Layout layout, Message message) throws NetlinkException.Malformed {
    return of(layout, message)
        .with(Attributes.read(layout.attributes(), message.attributes(layout.size())));
  }

  /** Converts the result of {@link #toBytes}, which begins with a header, to a payload. */
  static Payload ofBytes(Layout layout, byte[] bytes) {
    return new Payload(
        layout,
        Arrays.copyOf(bytes, layout.size()),
        Attributes.ofBytes(
            layout.attributes(), Arrays.copyOfRange(bytes, layout.size(), bytes.length)));
  }

  byte[] toBytes() {
    byte[] behind = attributes.toBytes();
    byte[] all = Arrays.copyOf(header, header.length + behind.length);
    System.arraycopy(behind, 0, all, header.length, behind.length);
    return all;
  }

  MessageWriter write(MessageWriter request) {
    return request.appendBytes(header).putAll(attributes);
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  /** Returns a field of the header; unsigned, except for fields of 32 bits, which fill the int. */
  int get(String field) {
    Layout.Field place = layout.field(field);
    ByteBuffer buffer = buffer(header);
    return switch (place.size()) {
      case 1 -> Byte.toUnsignedInt(buffer.get(place.at()));
      case 2 -> Short.toUnsignedInt(buffer.getShort(place.at()));
      default -> buffer.getInt(place.at());
    };
  }

  /** Sets a field of the header. Rejects numbers that do not fit, instead of truncating them. */
  Payload set(String field, int value) {
    Layout.Field place = layout.field(field);
    byte[] changed = header.clone();
    ByteBuffer buffer = buffer(changed);
    switch (place.size()) {
      case 1 -> buffer.put(place.at(), (byte) Numbers.u8(field, value));
      case 2 -> buffer.putShort(place.at(), (short) Numbers.u16(field, value));
      default -> buffer.putInt(place.at(), value);
    }
    return new Payload(layout, changed, attributes);
  }

  Attributes attributes() {
    return attributes;
  }

  Payload with(Attributes changed) {
    return new Payload(layout, header, changed);
  }

  Payload with(String attribute, long number) {
    return with(attributes.with(attribute, number));
  }

  Payload with(String attribute, byte[] value) {
    return with(attributes.with(attribute, value));
  }

  Payload without(String... names) {
    return with(attributes.without(names));
  }

  /** Returns the payload with other indices of links, also inside an encapsulation. */
  Payload moved(IntUnaryOperator to) {
    int inHeader = layout.fields().containsKey("ifindex") ? get("ifindex") : 0;
    int header = inHeader == 0 ? 0 : to.applyAsInt(inHeader);
    Payload moved = header == inHeader ? this : set("ifindex", header);
    int inAttribute = layout.link().isEmpty() ? 0 : attributes.number(layout.link()).orElse(0);
    int attribute = inAttribute == 0 ? 0 : to.applyAsInt(inAttribute);
    moved = attribute == inAttribute ? moved : moved.with(layout.link(), attribute);
    return layout.attributes().names("ENCAP_TYPE")
        ? moved.with(RouteCodec.moved(moved.attributes, to))
        : moved;
  }

  /** Returns whether the family is IPv6; every header begins with it ({@code struct rtgenmsg}). */
  boolean isV6() {
    return header[0] == Family.INET6;
  }

  /** Returns whether the family is IPv4 or IPv6; other families have messages of the same types. */
  boolean isIp() {
    return header[0] == Family.INET || isV6();
  }

  /** Returns the address in an attribute, which has the length of an address. */
  Optional<IpAddress> address(String attribute) {
    return attributes.bytes(attribute).map(IpAddress::of);
  }

  /** Returns the network of an attribute and its length; all addresses without the attribute. */
  IpPrefix prefix(String attribute, String length) {
    IpAddress any = isV6() ? IpAddress.ANY_V6 : IpAddress.ANY_V4;
    return new IpPrefix(address(attribute).orElse(any), get(length));
  }

  /** Sets an address; the kernel would truncate an address of another family. */
  Payload with(String attribute, IpAddress address) {
    return with(attribute, ofFamily(attribute, address).toBytes());
  }

  private IpAddress ofFamily(String attribute, IpAddress address) {
    if (address.isV6() != isV6()) {
      throw new IllegalArgumentException(
          "%s %s, expected an IPv%d address"
              .formatted(
                  layout.attributes().name(layout.attributes().type(attribute)),
                  address,
                  isV6() ? 6 : 4));
    }
    return address;
  }

  Payload with(String attribute, String length, @Nullable IpPrefix prefix) {
    if (prefix != null) {
      ofFamily(attribute, prefix.address());
    }
    Payload cut = set(length, prefix == null ? 0 : prefix.length());
    return prefix == null || prefix.length() == 0
        ? cut.without(attribute)
        : cut.with(attribute, prefix.address().toBytes());
  }

  /** Checks that a network that was read is not longer than its address. */
  Payload checked(String attribute, String length) throws NetlinkException.Malformed {
    IpAddress address = address(attribute).orElse(isV6() ? IpAddress.ANY_V6 : IpAddress.ANY_V4);
    if (address.isV6() != isV6() || get(length) > address.bits()) {
      throw new NetlinkException.Malformed(
          "a network of " + get(length) + " bits of address " + address);
    }
    return get(length) == 0 ? without(attribute) : this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload
        && Arrays.equals(header, payload.header)
        && attributes.equals(payload.attributes);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(header) + attributes.hashCode();
  }
}
