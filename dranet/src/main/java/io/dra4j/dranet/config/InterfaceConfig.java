package io.dra4j.dranet.config;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpPrefix;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the interface in the pod. A field is null if it is not set, which differs from 0,
 * false or an empty value.
 *
 * @param name the name in the pod, at most 15 bytes; one {@code %d} in it stands for the index of
 *     the device among the devices of its request, from 0; null for the name on the host
 * @param addresses the addresses with prefix lengths; null for the global addresses of the
 *     interface on the host
 * @param dhcp whether to get addresses from a DHCP server; {@code addresses} must then be null
 * @param mtu the MTU in bytes, at least 68
 * @param hardwareAddress the hardware address, with the length of the interface's address
 * @param gsoMaxSize the size in bytes of the largest IPv6 packet that the hardware may segment
 * @param groMaxSize the size in bytes of the largest IPv6 packet that may be assembled on receipt
 * @param gsoIpv4MaxSize like {@code gsoMaxSize}, for IPv4
 * @param groIpv4MaxSize like {@code groMaxSize}, for IPv4
 * @param disableEbpfPrograms whether to detach all BPF programs from the interface
 * @param forwarding whether the pod forwards packets that arrive on the interface (sysctl {@code
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

  /** The settings without any field set. */
  public static final InterfaceConfig NONE = builder().build();

  /** Copies the list. {@inheritDoc} */
  public InterfaceConfig {
    addresses = addresses == null ? null : List.copyOf(addresses);
  }

  /** {@return whether all BPF programs are detached; false if not set} */
  public boolean detachesPrograms() {
    return Boolean.TRUE.equals(disableEbpfPrograms);
  }

  /** {@return whether addresses come from a DHCP server; false if not set} */
  public boolean asksDhcp() {
    return Boolean.TRUE.equals(dhcp);
  }

  /**
   * {@return these settings with other addresses}
   *
   * @param newAddresses the addresses; null for the addresses on the host
   */
  public InterfaceConfig withAddresses(@Nullable List<IpPrefix> newAddresses) {
    return toBuilder().addresses(newAddresses).build();
  }

  /**
   * {@return these settings with another name}
   *
   * @param newName the name; null for the name on the host
   */
  public InterfaceConfig withName(@Nullable String newName) {
    return toBuilder().name(newName).build();
  }

  /** Merges two settings field by field; the given ones win. */
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

  /** {@return a builder with all fields of these settings, to change some of them} */
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
   * Returns a builder with no field set: the interface keeps its settings from the host.
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

  /** A builder. Fields that are not set, or set to null, keep their values from the host. */
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
     * @param name the name, at most 15 bytes; one {@code %d} in it stands for the index of the
     *     device; null to unset
     * @return this builder
     */
    public Builder name(@Nullable String name) {
      this.name = name;
      return this;
    }

    /**
     * Sets the addresses.
     *
     * @param addresses the addresses with prefix lengths; null to unset
     * @return this builder
     */
    public Builder addresses(@Nullable List<IpPrefix> addresses) {
      this.addresses = addresses;
      return this;
    }

    /**
     * Sets whether addresses come from a DHCP server.
     *
     * @param dhcp whether they do; null to unset
     * @return this builder
     */
    public Builder dhcp(@Nullable Boolean dhcp) {
      this.dhcp = dhcp;
      return this;
    }

    /**
     * Sets the MTU.
     *
     * @param mtu the MTU in bytes, at least 68; null to unset
     * @return this builder
     */
    public Builder mtu(@Nullable Integer mtu) {
      this.mtu = mtu;
      return this;
    }

    /**
     * Sets the hardware address.
     *
     * @param hardwareAddress the address, with the length of the interface's address; null to unset
     * @return this builder
     */
    public Builder hardwareAddress(@Nullable HardwareAddress hardwareAddress) {
      this.hardwareAddress = hardwareAddress;
      return this;
    }

    /**
     * Sets the size of the largest IPv6 packet that the hardware may segment.
     *
     * @param gsoMaxSize the size in bytes; null to unset
     * @return this builder
     */
    public Builder gsoMaxSize(@Nullable Integer gsoMaxSize) {
      this.gsoMaxSize = gsoMaxSize;
      return this;
    }

    /**
     * Sets the size of the largest IPv6 packet that may be assembled on receipt.
     *
     * @param groMaxSize the size in bytes; null to unset
     * @return this builder
     */
    public Builder groMaxSize(@Nullable Integer groMaxSize) {
      this.groMaxSize = groMaxSize;
      return this;
    }

    /**
     * Sets the size of the largest IPv4 packet that the hardware may segment.
     *
     * @param gsoIpv4MaxSize the size in bytes; null to unset
     * @return this builder
     */
    public Builder gsoIpv4MaxSize(@Nullable Integer gsoIpv4MaxSize) {
      this.gsoIpv4MaxSize = gsoIpv4MaxSize;
      return this;
    }

    /**
     * Sets the size of the largest IPv4 packet that may be assembled on receipt.
     *
     * @param groIpv4MaxSize the size in bytes; null to unset
     * @return this builder
     */
    public Builder groIpv4MaxSize(@Nullable Integer groIpv4MaxSize) {
      this.groIpv4MaxSize = groIpv4MaxSize;
      return this;
    }

    /**
     * Sets whether all BPF programs are detached.
     *
     * @param disableEbpfPrograms whether they are; null to unset
     * @return this builder
     */
    public Builder disableEbpfPrograms(@Nullable Boolean disableEbpfPrograms) {
      this.disableEbpfPrograms = disableEbpfPrograms;
      return this;
    }

    /**
     * Sets whether the pod forwards packets that arrive on the interface.
     *
     * @param forwarding whether it does; null to unset
     * @return this builder
     */
    public Builder forwarding(@Nullable Boolean forwarding) {
      this.forwarding = forwarding;
      return this;
    }

    /**
     * Sets which ARP requests are answered.
     *
     * @param arpIgnore 0 to 3 or 8; null to unset
     * @return this builder
     */
    public Builder arpIgnore(@Nullable Integer arpIgnore) {
      this.arpIgnore = arpIgnore;
      return this;
    }

    /**
     * Sets which addresses ARP requests contain.
     *
     * @param arpAnnounce 0 to 2; null to unset
     * @return this builder
     */
    public Builder arpAnnounce(@Nullable Integer arpAnnounce) {
      this.arpAnnounce = arpAnnounce;
      return this;
    }

    /**
     * Sets the VRF that the interface belongs to.
     *
     * @param vrf the VRF; null to unset
     * @return this builder
     */
    public Builder vrf(@Nullable VrfConfig vrf) {
      this.vrf = vrf;
      return this;
    }

    /** {@return the settings} {@link NetworkConfig#problems} checks them. */
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
