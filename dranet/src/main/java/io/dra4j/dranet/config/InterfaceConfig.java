package io.dra4j.dranet.config;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpPrefix;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the interface is like in the pod. Each field is null if it is not given, so that a value of
 * 0, false or nothing can be distinguished from one that is not there.
 *
 * @param name the name in the pod, at most 15 bytes; one {@code %d} in it stands for the number of
 *     the device among those of its request, from 0; null for the name on the host
 * @param addresses the addresses, with the lengths of their networks; null for the global ones that
 *     the interface has on the host
 * @param dhcp whether to ask a DHCP server for addresses, which then must not be given
 * @param mtu the largest packet in bytes, from 68
 * @param hardwareAddress the hardware address, of as many bytes as the interface has
 * @param gsoMaxSize the largest packet that may be left to the hardware to cut, in bytes, for IPv6
 * @param groMaxSize the largest packet that may be put together on receipt, in bytes, for IPv6
 * @param gsoIpv4MaxSize as {@code gsoMaxSize}, for IPv4
 * @param groIpv4MaxSize as {@code groMaxSize}, for IPv4
 * @param disableEbpfPrograms whether to detach all BPF programs from the interface
 * @param forwarding whether the pod forwards packets that come in by the interface (sysctl {@code
 *     forwarding} of IPv4 and IPv6)
 * @param arpIgnore which ARP requests are answered: 0 to 3 or 8 (sysctl {@code arp_ignore})
 * @param arpAnnounce which addresses ARP requests contain: 0 to 2 (sysctl {@code arp_announce})
 * @param vrf the VRF that the interface belongs to
 */
public record InterfaceConfig(
    @Nullable String name,
    @Nullable List<IpPrefix> addresses,
    @Nullable Boolean dhcp,
    @Nullable Integer mtu,
    @Nullable HardwareAddress hardwareAddress,
    @Nullable Integer gsoMaxSize,
    @Nullable Integer groMaxSize,
    @Nullable Integer gsoIpv4MaxSize,
    @Nullable Integer groIpv4MaxSize,
    @Nullable Boolean disableEbpfPrograms,
    @Nullable Boolean forwarding,
    @Nullable Integer arpIgnore,
    @Nullable Integer arpAnnounce,
    @Nullable VrfConfig vrf) {

  /** Nothing is given. */
  public static final InterfaceConfig NONE = builder().build();

  /** Copies the list. {@inheritDoc} */
  public InterfaceConfig {
    addresses = addresses == null ? null : List.copyOf(addresses);
  }

  /**
   * Whether all BPF programs are detached.
   *
   * @return false if nothing is said
   */
  public boolean detachesPrograms() {
    return Boolean.TRUE.equals(disableEbpfPrograms);
  }

  /**
   * Whether a DHCP server is asked.
   *
   * @return false if nothing is said
   */
  public boolean asksDhcp() {
    return Boolean.TRUE.equals(dhcp);
  }

  /**
   * Returns the same with other addresses.
   *
   * @param newAddresses the addresses; null for those of the host
   * @return the same with these
   */
  public InterfaceConfig withAddresses(@Nullable List<IpPrefix> newAddresses) {
    return toBuilder().addresses(newAddresses).build();
  }

  /**
   * Returns the same with another name.
   *
   * @param newName the name; null for that of the host
   * @return the same with this name
   */
  public InterfaceConfig withName(@Nullable String newName) {
    return toBuilder().name(newName).build();
  }

  /** Of two the other one wins, field by field. */
  InterfaceConfig under(InterfaceConfig higher) {
    return new InterfaceConfig(
        first(higher.name, name),
        ConfigMerge.lists(addresses, higher.addresses, Function.identity()),
        first(higher.dhcp, dhcp),
        first(higher.mtu, mtu),
        first(higher.hardwareAddress, hardwareAddress),
        first(higher.gsoMaxSize, gsoMaxSize),
        first(higher.groMaxSize, groMaxSize),
        first(higher.gsoIpv4MaxSize, gsoIpv4MaxSize),
        first(higher.groIpv4MaxSize, groIpv4MaxSize),
        first(higher.disableEbpfPrograms, disableEbpfPrograms),
        first(higher.forwarding, forwarding),
        first(higher.arpIgnore, arpIgnore),
        first(higher.arpAnnounce, arpAnnounce),
        first(higher.vrf, vrf));
  }

  private static <T> @Nullable T first(@Nullable T higher, @Nullable T lower) {
    return higher == null ? lower : higher;
  }

  /**
   * Starts a builder with everything that this configuration says, to change some of it.
   *
   * @return a builder
   */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.addresses = addresses;
    builder.dhcp = dhcp;
    builder.mtu = mtu;
    builder.hardwareAddress = hardwareAddress;
    builder.gsoMaxSize = gsoMaxSize;
    builder.groMaxSize = groMaxSize;
    builder.gsoIpv4MaxSize = gsoIpv4MaxSize;
    builder.groIpv4MaxSize = groIpv4MaxSize;
    builder.disableEbpfPrograms = disableEbpfPrograms;
    builder.forwarding = forwarding;
    builder.arpIgnore = arpIgnore;
    builder.arpAnnounce = arpAnnounce;
    builder.vrf = vrf;
    return builder;
  }

  /**
   * Starts a configuration that says nothing: each interface stays as it is on the host.
   *
   * <pre>{@code
   * InterfaceConfig.builder().name("gpu%drdma0").mtu(8896).build()
   * }</pre>
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects what a configuration says; what is not set, or set to null, is left as it is. */
  public static final class Builder {

    private @Nullable String name;
    private @Nullable List<IpPrefix> addresses;
    private @Nullable Boolean dhcp;
    private @Nullable Integer mtu;
    private @Nullable HardwareAddress hardwareAddress;
    private @Nullable Integer gsoMaxSize;
    private @Nullable Integer groMaxSize;
    private @Nullable Integer gsoIpv4MaxSize;
    private @Nullable Integer groIpv4MaxSize;
    private @Nullable Boolean disableEbpfPrograms;
    private @Nullable Boolean forwarding;
    private @Nullable Integer arpIgnore;
    private @Nullable Integer arpAnnounce;
    private @Nullable VrfConfig vrf;

    private Builder() {}

    /**
     * Sets the name in the pod.
     *
     * @param name the name, at most 15 bytes; one {@code %d} in it stands for the number of the
     *     device; null to say nothing
     * @return this builder
     */
    public Builder name(@Nullable String name) {
      this.name = name;
      return this;
    }

    /**
     * Sets the addresses.
     *
     * @param addresses the addresses, with the lengths of their networks; null to say nothing
     * @return this builder
     */
    public Builder addresses(@Nullable List<IpPrefix> addresses) {
      this.addresses = addresses;
      return this;
    }

    /**
     * Sets the question whether a DHCP server is asked for addresses.
     *
     * @param dhcp whether it is asked; null to say nothing
     * @return this builder
     */
    public Builder dhcp(@Nullable Boolean dhcp) {
      this.dhcp = dhcp;
      return this;
    }

    /**
     * Sets the largest packet.
     *
     * @param mtu bytes, from 68; null to say nothing
     * @return this builder
     */
    public Builder mtu(@Nullable Integer mtu) {
      this.mtu = mtu;
      return this;
    }

    /**
     * Sets the hardware address.
     *
     * @param hardwareAddress the address, of as many bytes as the interface has; null to say
     *     nothing
     * @return this builder
     */
    public Builder hardwareAddress(@Nullable HardwareAddress hardwareAddress) {
      this.hardwareAddress = hardwareAddress;
      return this;
    }

    /**
     * Sets the largest IPv6 packet that may be left to the hardware to cut.
     *
     * @param gsoMaxSize bytes; null to say nothing
     * @return this builder
     */
    public Builder gsoMaxSize(@Nullable Integer gsoMaxSize) {
      this.gsoMaxSize = gsoMaxSize;
      return this;
    }

    /**
     * Sets the largest IPv6 packet that may be put together on receipt.
     *
     * @param groMaxSize bytes; null to say nothing
     * @return this builder
     */
    public Builder groMaxSize(@Nullable Integer groMaxSize) {
      this.groMaxSize = groMaxSize;
      return this;
    }

    /**
     * Sets the largest IPv4 packet that may be left to the hardware to cut.
     *
     * @param gsoIpv4MaxSize bytes; null to say nothing
     * @return this builder
     */
    public Builder gsoIpv4MaxSize(@Nullable Integer gsoIpv4MaxSize) {
      this.gsoIpv4MaxSize = gsoIpv4MaxSize;
      return this;
    }

    /**
     * Sets the largest IPv4 packet that may be put together on receipt.
     *
     * @param groIpv4MaxSize bytes; null to say nothing
     * @return this builder
     */
    public Builder groIpv4MaxSize(@Nullable Integer groIpv4MaxSize) {
      this.groIpv4MaxSize = groIpv4MaxSize;
      return this;
    }

    /**
     * Sets the question whether all BPF programs are detached.
     *
     * @param disableEbpfPrograms whether they are; null to say nothing
     * @return this builder
     */
    public Builder disableEbpfPrograms(@Nullable Boolean disableEbpfPrograms) {
      this.disableEbpfPrograms = disableEbpfPrograms;
      return this;
    }

    /**
     * Sets the question whether the pod forwards packets that come in by the interface.
     *
     * @param forwarding whether it does; null to say nothing
     * @return this builder
     */
    public Builder forwarding(@Nullable Boolean forwarding) {
      this.forwarding = forwarding;
      return this;
    }

    /**
     * Sets the choice which ARP requests are answered.
     *
     * @param arpIgnore 0 to 3 or 8; null to say nothing
     * @return this builder
     */
    public Builder arpIgnore(@Nullable Integer arpIgnore) {
      this.arpIgnore = arpIgnore;
      return this;
    }

    /**
     * Sets the choice which addresses ARP requests contain.
     *
     * @param arpAnnounce 0 to 2; null to say nothing
     * @return this builder
     */
    public Builder arpAnnounce(@Nullable Integer arpAnnounce) {
      this.arpAnnounce = arpAnnounce;
      return this;
    }

    /**
     * Sets the VRF that the interface belongs to.
     *
     * @param vrf the VRF; null to say nothing
     * @return this builder
     */
    public Builder vrf(@Nullable VrfConfig vrf) {
      this.vrf = vrf;
      return this;
    }

    /**
     * Makes the configuration, which is checked where it is used ({@link NetworkConfig#problems}).
     *
     * @return a configuration with what was set
     */
    public InterfaceConfig build() {
      return new InterfaceConfig(
          name,
          addresses,
          dhcp,
          mtu,
          hardwareAddress,
          gsoMaxSize,
          groMaxSize,
          gsoIpv4MaxSize,
          groIpv4MaxSize,
          disableEbpfPrograms,
          forwarding,
          arpIgnore,
          arpAnnounce,
          vrf);
    }
  }
}
