package io.dra4j.netlink.state;

import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Route;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * How objects of a kind end by themselves: what remains after some time, and which part of it is
 * compared, because two readings never have the same number.
 *
 * @param <T> the objects
 */
interface Lifetime<T> {

  /** Whether the object ends by itself. Of one that does not, nothing else is asked. */
  default boolean ends(T object) {
    return false;
  }

  /** The object as it is after some seconds; empty if it has ended. */
  default Optional<T> after(T object, long seconds) {
    return Optional.of(object);
  }

  /** The object with its time reduced to what is compared. */
  default T compared(T object) {
    return untimed(object);
  }

  /** The object without its time: what is the same though it was renewed or made permanent. */
  default T untimed(T object) {
    return object;
  }

  /** An object with the longer of two times. */
  default T longer(T one, T other) {
    return one;
  }

  private static OptionalLong longer(OptionalLong one, OptionalLong other) {
    return one.isEmpty() || other.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(one.getAsLong(), other.getAsLong()));
  }

  /** Of objects that do not end. */
  static <T> Lifetime<T> forEver() {
    return new Lifetime<>() {};
  }

  /** Addresses are valid and preferred for some time ({@code IFA_CACHEINFO}). */
  enum OfAddress implements Lifetime<InterfaceAddress> {
    INSTANCE;

    /** One that is valid for ever and not preferred is so because a user wants it. */
    @Override
    public boolean ends(InterfaceAddress address) {
      return address.validSeconds().isPresent() || address.preferredSeconds().orElse(0) > 0;
    }

    @Override
    public Optional<InterfaceAddress> after(InterfaceAddress address, long seconds) {
      InterfaceAddress left = timed(address, time -> Math.max(0, time - seconds));
      return left.validSeconds().equals(OptionalLong.of(0)) ? Optional.empty() : Optional.of(left);
    }

    /** An address that is no longer preferred is another thing than one that is for a while. */
    @Override
    public InterfaceAddress compared(InterfaceAddress address) {
      return timed(address, time -> Math.min(1, time));
    }

    private static InterfaceAddress timed(InterfaceAddress address, LongUnaryOperator to) {
      return address.withLifetime(
          timed(address.validSeconds(), to), timed(address.preferredSeconds(), to));
    }

    private static OptionalLong timed(OptionalLong time, LongUnaryOperator to) {
      return time.isEmpty() ? time : OptionalLong.of(to.applyAsLong(time.getAsLong()));
    }

    @Override
    public InterfaceAddress untimed(InterfaceAddress address) {
      return address.withLifetime(OptionalLong.empty(), OptionalLong.empty());
    }

    @Override
    public InterfaceAddress longer(InterfaceAddress one, InterfaceAddress other) {
      return one.withLifetime(
          Lifetime.longer(one.validSeconds(), other.validSeconds()),
          Lifetime.longer(one.preferredSeconds(), other.preferredSeconds()));
    }
  }

  /** IPv6 routes may end ({@code RTA_EXPIRES}). */
  enum OfRoute implements Lifetime<Route> {
    INSTANCE;

    private static final int EXPIRES = 23; // linux/rtnetlink.h

    @Override
    public boolean ends(Route route) {
      return route.expireSeconds().isPresent();
    }

    @Override
    public Optional<Route> after(Route route, long seconds) {
      long left = route.expireSeconds().orElse(0) - seconds;
      return left <= 0 ? Optional.empty() : Optional.of(ending(route, left));
    }

    /** All end in one second then, as an attribute of a route cannot be taken away. */
    @Override
    public Route untimed(Route route) {
      return ending(route, 1);
    }

    @Override
    public Route longer(Route one, Route other) {
      return Lifetime.longer(one.expireSeconds(), other.expireSeconds()).equals(one.expireSeconds())
          ? one
          : other;
    }

    private static Route ending(Route route, long seconds) {
      ByteBuffer value = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder());
      return route.withAttribute(EXPIRES, value.putInt((int) seconds).array());
    }
  }
}
