package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * An object that is a view of its message. Objects are equal if their headers and attributes are
 * equal.
 *
 * @param <T> the type of the object itself
 */
abstract sealed class MessageView<T extends MessageView<T>> implements RouteObject
    permits InterfaceAddress,
        Route,
        Rule,
        Neighbour,
        ForwardingEntry,
        PortVlans,
        NextHopObject,
        TrafficControl {

  private final ObjectKind kind;
  private final Function<Payload, T> maker;

  final Payload payload;

  /** Creates a view. The maker converts another message to an object of the same kind. */
  MessageView(ObjectKind kind, Function<Payload, T> maker, Payload payload) {
    this.kind = kind;
    this.maker = maker;
    this.payload = payload;
  }

  /** Returns the properties that a text lacks, so that different objects have different texts. */
  final String others(String... shown) {
    return others(payload, shown);
  }

  static String others(Payload payload, String... shown) {
    Attributes rest = payload.attributes().without(shown);
    return rest.isEmpty() ? "" : " " + rest;
  }

  /** Returns a number as text; empty for the usual number. */
  static String unless(int usual, String name, int number) {
    return number == usual ? "" : " " + name + " " + Integer.toUnsignedString(number);
  }

  /** Returns the object of another message. */
  final T of(Payload changed) {
    return maker.apply(changed);
  }

  final T set(String field, int number) {
    return of(payload.set(field, number));
  }

  final T with(String attribute, long number) {
    return of(payload.with(attribute, number));
  }

  final T with(String attribute, byte[] value) {
    return of(payload.with(attribute, value));
  }

  final T with(Attributes changed) {
    return of(payload.with(changed));
  }

  @Override
  public final ObjectKind objectKind() {
    return kind;
  }

  /**
   * {@return all attributes of the object by the names of the kernel's header, including attributes
   * of newer kernels and attributes without a method in this library}
   */
  public final Attributes attributes() {
    return payload.attributes();
  }

  /**
   * {@return the object with an attribute of any type}
   *
   * @param type its type in the kernel's header, for example {@code RTA_MARK} of {@code
   *     linux/rtnetlink.h} for a {@link Route}
   * @param value its value in the kernel's format
   */
  public final T withAttribute(int type, byte[] value) {
    return with(attributes().with(type, value));
  }

  /** {@return the object without state of the kernel, to compare and write it; the same if none} */
  public T withoutState() {
    return of(payload);
  }

  /**
   * {@return the object with a new index of a link in all places, for example after the link came
   * back with another index; the same object if it does not have the old one}
   *
   * @param from the index to replace
   * @param to the new index
   * @throws IllegalArgumentException if an index is not positive
   */
  public final T moved(int from, int to) {
    Links.checkIndex(from);
    Links.checkIndex(to);
    return moved(index -> index == from ? to : index);
  }

  /**
   * {@return the object with new indices of links, replaced all at once; the same object if it has
   * none} If several links came back, one may have the former index of another.
   *
   * @param to returns the new index for each index in the object
   */
  public T moved(IntUnaryOperator to) {
    return of(payload.moved(to));
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof MessageView<?> view
        && kind == view.kind
        && payload.equals(view.payload);
  }

  @Override
  public final int hashCode() {
    return payload.hashCode();
  }
}
