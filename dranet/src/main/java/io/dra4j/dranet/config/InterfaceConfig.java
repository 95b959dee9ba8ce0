package io.dra4j.dranet.config;

import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.IpPrefix;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the interface is like in the pod. Each field is null if it is not given, so that a value of
 * 0, false or nothing can be told from one that is not there.
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
 * @param arpAnnounce which addresses ARP requests tell: 0 to 2 (sysctl {@code arp_announce})
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
  public static final InterfaceConfig NONE =
      new InterfaceConfig(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null);

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
    return new InterfaceConfig(
        name,
        newAddresses,
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

  /**
   * Returns the same with another name.
   *
   * @param newName the name; null for that of the host
   * @return the same with this name
   */
  public InterfaceConfig withName(@Nullable String newName) {
    return new InterfaceConfig(
        newName,
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

  /** Of two the other one wins, field by field. */
  InterfaceConfig under(InterfaceConfig higher) {
    return new InterfaceConfig(
        first(higher.name, name),
        Merged.lists(addresses, higher.addresses, Function.identity()),
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
}
