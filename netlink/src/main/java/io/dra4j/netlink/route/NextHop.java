package io.dra4j.netlink.route;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One of the ways that a route with several ways has. Immutable. */
public final class NextHop {

  private final @Nullable IpAddress gateway;
  private final int index;
  private final int weight;
  private final int flags;
  private final int encapsulationType;
  private final byte[] encapsulation;

  NextHop(
      @Nullable IpAddress gateway,
      int index,
      int weight,
      int flags,
      int encapsulationType,
      byte[] encapsulation) {
    this.gateway = gateway;
    this.index = index;
    this.weight = weight;
    this.flags = flags;
    this.encapsulationType = encapsulationType;
    this.encapsulation = encapsulation;
  }

  /**
   * A way.
   *
   * @param gateway who to send to; null if the destination is on the link
   * @param index the index of the link to send on; 0 to find it by the gateway
   * @param weight its share among all ways, 1 to 256
   * @return the way
   * @throws IllegalArgumentException if the weight is out of range
   */
  public static NextHop of(@Nullable IpAddress gateway, int index, int weight) {
    if (weight < 1 || weight > 256) {
      throw new IllegalArgumentException("weight " + weight + ", must be from 1 to 256");
    }
    return new NextHop(gateway, index, weight, 0, 0, new byte[0]);
  }

  /**
   * Who to send to.
   *
   * @return null if the destination is on the link
   */
  public @Nullable IpAddress gateway() {
    return gateway;
  }

  /**
   * The link to send on.
   *
   * @return its index; 0 if there is none
   */
  public int index() {
    return index;
  }

  /**
   * Its share among all ways.
   *
   * @return 1 to 256
   */
  public int weight() {
    return weight;
  }

  /**
   * Its flags.
   *
   * @return {@code RTNH_F_...} of {@code linux/rtnetlink.h}
   */
  public int flags() {
    return flags;
  }

  /**
   * How packets are wrapped on this way.
   *
   * @return {@code LWTUNNEL_ENCAP_...}; 0 not at all
   */
  public int encapsulationType() {
    return encapsulationType;
  }

  byte[] encapsulation() {
    return encapsulation;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NextHop hop
        && Objects.equals(gateway, hop.gateway)
        && index == hop.index
        && weight == hop.weight
        && flags == hop.flags
        && encapsulationType == hop.encapsulationType
        && Arrays.equals(encapsulation, hop.encapsulation);
  }

  @Override
  public int hashCode() {
    return Objects.hash(gateway, index, weight, flags);
  }

  @Override
  public String toString() {
    return (gateway == null ? "" : "via " + gateway + " ") + "link " + index + " weight " + weight;
  }
}
