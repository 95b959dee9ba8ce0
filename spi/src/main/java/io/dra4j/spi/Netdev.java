package io.dra4j.spi;

import io.dra4j.topology.PciAddress;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A network device of a host. Created by {@link #named}, modified by {@link #toBuilder}.
 *
 * @param name its name, for example {@code eth0}
 * @param index its interface index, if known
 * @param address the PCI function it is on; null if it is on none
 * @param virtual whether it has no hardware of its own, such as a bridge or one end of a veth pair
 * @param hardwareAddress as Linux writes it, for example {@code 52:54:00:0d:a0:00}; empty if it has
 *     none
 * @param mtu in bytes, if known
 * @param operationalState as Linux writes it (RFC 2863), for example {@code up}; empty if not known
 * @param megabitsPerSecond the speed of its link; absent while it is down or has no speed
 * @param devicePort the number of its port of the hardware, from 0 ({@code dev_port} of {@code
 *     sysfs-class-net}); absent if not known or without hardware
 */
public record Netdev(
    String name,
    OptionalInt index,
    @Nullable PciAddress address,
    boolean virtual,
    String hardwareAddress,
    OptionalInt mtu,
    String operationalState,
    OptionalLong megabitsPerSecond,
    OptionalInt devicePort) {

  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern REPRESENTOR = Pattern.compile("(c\\d+)?pf\\d+((vf|sf)\\d+)?");

  /**
   * {@return whether a network device is a representor: the name of its port denotes a function
   * behind the switch of a NIC (Linux, {@code Documentation/networking/switchdev.rst})} It
   * represents the function on its host, and is not a port of the NIC. Before Linux 5.1, mlx5 wrote
   * only the number of the virtual function.
   *
   * @param physicalPortName the content of {@code phys_port_name}, for example {@code pf0vf3}
   * @param hasSwitchId whether the network device has a {@code phys_switch_id}, without which a
   *     number alone is a port
   */
  public static boolean isRepresentor(String physicalPortName, boolean hasSwitchId) {
    return REPRESENTOR.matcher(physicalPortName).matches()
        || (hasSwitchId && NUMBER.matcher(physicalPortName).matches());
  }

  /**
   * {@return a builder of a network device with this name} All other facts are unknown, and the
   * device counts as hardware.
   *
   * @param name the name of the network device, for example {@code eth0}
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /** {@return a builder with the values of this network device} */
  public Builder toBuilder() {
    Builder builder = new Builder(name);
    builder.index = index;
    builder.address = address;
    builder.virtual = virtual;
    builder.hardwareAddress = hardwareAddress;
    builder.mtu = mtu;
    builder.operationalState = operationalState;
    builder.megabitsPerSecond = megabitsPerSecond;
    builder.devicePort = devicePort;
    return builder;
  }

  /** Builds a network device. Not thread-safe. */
  public static final class Builder {

    private final String name;
    private OptionalInt index = OptionalInt.empty();
    private @Nullable PciAddress address;
    private boolean virtual;
    private String hardwareAddress = "";
    private OptionalInt mtu = OptionalInt.empty();
    private String operationalState = "";
    private OptionalLong megabitsPerSecond = OptionalLong.empty();
    private OptionalInt devicePort = OptionalInt.empty();

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets the interface index.
     *
     * @param index the index, from 1
     * @return this builder
     */
    public Builder index(int index) {
      this.index = OptionalInt.of(index);
      return this;
    }

    /**
     * Sets the PCI function.
     *
     * @param address the function; null if the network device is on none
     * @return this builder
     */
    public Builder address(@Nullable PciAddress address) {
      this.address = address;
      return this;
    }

    /**
     * Sets whether the network device has no hardware of its own.
     *
     * @param virtual whether it has no hardware of its own
     * @return this builder
     */
    public Builder virtual(boolean virtual) {
      this.virtual = virtual;
      return this;
    }

    /**
     * Sets the hardware address.
     *
     * @param hardwareAddress for example {@code 52:54:00:0d:a0:00}; empty if there is none
     * @return this builder
     */
    public Builder hardwareAddress(String hardwareAddress) {
      this.hardwareAddress = hardwareAddress;
      return this;
    }

    /**
     * Sets the MTU.
     *
     * @param mtu in bytes
     * @return this builder
     */
    public Builder mtu(int mtu) {
      this.mtu = OptionalInt.of(mtu);
      return this;
    }

    /**
     * Sets the operational state.
     *
     * @param operationalState for example {@code up}; empty if not known
     * @return this builder
     */
    public Builder operationalState(String operationalState) {
      this.operationalState = operationalState;
      return this;
    }

    /**
     * Sets the speed of the link.
     *
     * @param megabitsPerSecond in Mb/s; 0 or less if there is none, as the kernel writes for a link
     *     that is down
     * @return this builder
     */
    public Builder megabitsPerSecond(long megabitsPerSecond) {
      this.megabitsPerSecond =
          megabitsPerSecond > 0 ? OptionalLong.of(megabitsPerSecond) : OptionalLong.empty();
      return this;
    }

    /**
     * Sets the number of the port of the hardware.
     *
     * @param devicePort the port, from 0
     * @return this builder
     */
    public Builder devicePort(int devicePort) {
      this.devicePort = OptionalInt.of(devicePort);
      return this;
    }

    /** {@return the network device with the values set so far} */
    public Netdev build() {
      return new Netdev(
          name,
          index,
          address,
          virtual,
          hardwareAddress,
          mtu,
          operationalState,
          megabitsPerSecond,
          devicePort);
    }
  }
}
