package io.dra4j.netlink.state;

import io.dra4j.netlink.route.InterfaceAddress;
import io.dra4j.netlink.route.Route;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * The rules by which objects of a kind expire: the remaining time after some seconds, and the part
 * of it that is compared, because two readings never have the same number.
 *
 * @param <T> the type of the objects
 */
interface Lifetime<T> {

  /** Returns whether the object expires. The other methods are called only if it does. */
  default boolean ends(T object) {
    return false;
  }

  /** Returns the object after some seconds; empty if it has expired. */
  default Optional<T> after(T object, long seconds) {
    return Optional.of(object);
  }

  /** Returns the object with its time reduced to the compared part. */
  default T compared(T object) {
    return untimed(object);
  }

  /**
   * Returns the object without its time, which is equal even if it was renewed or made permanent.
   */
  default T untimed(T object) {
    return object;
  }

  /** Returns the object with the longer of two times. */
  default T longer(T one, T other) {
    return one;
  }

  private static OptionalLong longer(OptionalLong one, OptionalLong other) {
    return one.isEmpty() || other.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(one.getAsLong(), other.getAsLong()));
  }

  /** Returns the lifetime of objects that do not expire. */
  static <T> Lifetime<T> forEver() {
    return new Lifetime<>() {};
  }

  /** Addresses are valid and preferred for some time ({@code IFA_CACHEINFO}). */
  enum OfAddress implements Lifetime<InterfaceAddress> {
    INSTANCE;

    /** Returns whether it expires; a user set one that is valid forever but not preferred. */
    @Override
    public boolean ends(InterfaceAddress address) {
      return address.validSeconds().isPresent() || address.preferredSeconds().orElse(0) > 0;
    }

    @Override
    public Optional<InterfaceAddress> after(InterfaceAddress address, long seconds) {
      InterfaceAddress left = timed(address, time -> Math.max(0, time - seconds));
      return left.validSeconds().equals(OptionalLong.of(0)) ? Optional.empty() : Optional.of(left);
    }

    /** Keeps the difference between no longer preferred and preferred for some time. */
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

  /** IPv6 routes can expire ({@code RTA_EXPIRES}). */
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

    /** Lets all routes expire in one second, because an attribute of a route cannot be removed. */
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
