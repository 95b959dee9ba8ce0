package io.dra4j.netlink.route;

import io.dra4j.netlink.Attributes;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * An object that is a view of its message: equal to another if header and attributes are.
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

  /** Another object of the same kind is what the maker makes of another message. */
  MessageView(ObjectKind kind, Function<Payload, T> maker, Payload payload) {
    this.kind = kind;
    this.maker = maker;
    this.payload = payload;
  }

  /** What a text about the object has not shown yet: objects that differ read differently. */
  final String others(String... shown) {
    return others(payload, shown);
  }

  static String others(Payload payload, String... shown) {
    Attributes rest = payload.attributes().without(shown);
    return rest.isEmpty() ? "" : " " + rest;
  }

  /** A number that stands for nothing where it is the usual one. */
  static String unless(int usual, String name, int number) {
    return number == usual ? "" : " " + name + " " + Integer.toUnsignedString(number);
  }

  /** The object that another message describes. */
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
   * Returns all attributes of the object, those that this library has no method for and those of
   * newer kernels included.
   *
   * @return the attributes, by the names of the kernel's header
   */
  public final Attributes attributes() {
    return payload.attributes();
  }

  /**
   * Sets any attribute.
   *
   * @param type its type in the kernel's header, for example {@code RTA_MARK} of {@code
   *     linux/rtnetlink.h} for a {@link Route}
   * @param value its value as the kernel has it
   * @return the object with it
   */
  public final T withAttribute(int type, byte[] value) {
    return with(attributes().with(type, value));
  }

  /**
   * Returns what was set of the object, to compare and to write it: without what the kernel reports
   * of it.
   *
   * @return the object without its state; the same if it has none
   */
  public T withoutState() {
    return of(payload);
  }

  /**
   * Puts one link in the place of another wherever the object names it by its index, for example
   * after a link came back under another one.
   *
   * @param from the index of the link that the object may name
   * @param to the index of the link to name instead
   * @return the object on the other link; the same if it names no such link
   * @throws IllegalArgumentException if an index is not positive
   */
  public final T moved(int from, int to) {
    Links.checkIndex(from);
    Links.checkIndex(to);
    return moved(index -> index == from ? to : index);
  }

  /**
   * Puts other links in the place of those that the object names by their indices, all at once: of
   * several that came back, one may have the index that another had.
   *
   * @param to gives the index of the link to name instead, for each index that the object has
   * @return the object on the other links; the same if it names none
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
