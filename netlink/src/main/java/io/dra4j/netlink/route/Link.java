package io.dra4j.netlink.route;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A link, that is a network interface, as the kernel described it at one moment. Immutable.
 *
 * <p>It is a plain class and holds numbers where an object would do, because hosts have thousands
 * of them and lists of them are made often.
 */
public final class Link {

  private static final int IFF_UP = 1;
  private static final int IFF_LOOPBACK = 8;

  private final int index;
  private final String name;
  private final int hardwareType;
  private final int flags;
  private final long addressBits;
  private final long broadcastBits;
  private final byte addressLength;
  private final byte broadcastLength;
  private final byte operationalState;
  private final byte carrier;
  private final byte protocolDown;
  private final byte linkMode;
  private final byte @Nullable [] longAddress;
  private final byte @Nullable [] longBroadcast;
  private final byte @Nullable [] permanentAddress;
  private final int mtu;
  private final int parentIndex;
  private final int parentNamespace;
  private final int masterIndex;
  private final int newNamespace;
  private final int newIndex;
  private final int group;
  private final int promiscuity;
  private final int allMulticast;
  private final int carrierUps;
  private final int carrierDowns;
  private final int xdpProgram;
  private final String queueDiscipline;
  private final String kind;
  private final String memberKind;
  private final String alias;
  private final String physicalPortName;
  private final String parentDevice;
  private final String parentBus;
  private final byte @Nullable [] physicalPortId;
  private final byte @Nullable [] switchId;
  private final LinkData data;
  private final LinkLimits limits;
  private final List<String> alternativeNames;
  private final List<VirtualFunction> virtualFunctions;
  private final long @Nullable [] statistics;

  Link(LinkDecoder from, LinkLimits limits) {
    this.index = from.index;
    this.name = from.name;
    this.hardwareType = from.hardwareType;
    this.flags = from.flags;
    this.addressBits = from.addressBits;
    this.broadcastBits = from.broadcastBits;
    this.addressLength = (byte) from.addressLength;
    this.broadcastLength = (byte) from.broadcastLength;
    this.operationalState = (byte) from.operationalState;
    this.carrier = (byte) from.carrier;
    this.protocolDown = (byte) from.protocolDown;
    this.linkMode = (byte) from.linkMode;
    this.longAddress = from.longAddress;
    this.longBroadcast = from.longBroadcast;
    this.permanentAddress = from.permanentAddress;
    this.mtu = from.mtu;
    this.parentIndex = from.parentIndex;
    this.parentNamespace = from.parentNamespace;
    this.masterIndex = from.masterIndex;
    this.newNamespace = from.newNamespace;
    this.newIndex = from.newIndex;
    this.group = from.group;
    this.promiscuity = from.promiscuity;
    this.allMulticast = from.allMulticast;
    this.carrierUps = from.carrierUps;
    this.carrierDowns = from.carrierDowns;
    this.xdpProgram = from.xdpProgram;
    this.queueDiscipline = from.queueDiscipline;
    this.kind = from.kind;
    this.memberKind = from.memberKind;
    this.alias = from.alias;
    this.physicalPortName = from.physicalPortName;
    this.parentDevice = from.parentDevice;
    this.parentBus = from.parentBus;
    this.physicalPortId = from.physicalPortId;
    this.switchId = from.switchId;
    this.data = from.data;
    this.limits = limits;
    this.alternativeNames = from.alternativeNames();
    this.virtualFunctions = from.virtualFunctions();
    this.statistics = from.statistics;
  }

  /**
   * Its number, unique in its namespace.
   *
   * @return the index, positive
   */
  public int index() {
    return index;
  }

  /**
   * Its name.
   *
   * @return at most 15 bytes, for example {@code eth0}
   */
  public String name() {
    return name;
  }

  /**
   * Its other names.
   *
   * @return names that it can be found by, too
   */
  public List<String> alternativeNames() {
    return alternativeNames;
  }

  /**
   * What kind of hardware it looks like.
   *
   * @return {@code ARPHRD_...} of {@code linux/if_arp.h}: 1 Ethernet, 32 InfiniBand, 772 loopback
   */
  public int hardwareType() {
    return hardwareType;
  }

  /**
   * Its flags.
   *
   * @return {@code IFF_...} of {@code linux/if.h}
   */
  public int flags() {
    return flags;
  }

  /**
   * Whether it is switched on; whether it works is its {@link #operationalState}.
   *
   * @return whether it is
   */
  public boolean isUp() {
    return (flags & IFF_UP) != 0;
  }

  /**
   * Whether it is the loopback link.
   *
   * @return whether it is
   */
  public boolean isLoopback() {
    return (flags & IFF_LOOPBACK) != 0;
  }

  private static HardwareAddress address(long bits, int length, byte @Nullable [] bytes) {
    return bytes == null ? HardwareAddress.of(bits, length) : HardwareAddress.of(bytes);
  }

  /**
   * Its hardware address.
   *
   * @return {@link HardwareAddress#NONE} if it has none
   */
  public HardwareAddress address() {
    return address(addressBits, addressLength, longAddress);
  }

  /**
   * The hardware address that reaches everyone; the other end on tunnels.
   *
   * @return {@link HardwareAddress#NONE} if it has none
   */
  public HardwareAddress broadcast() {
    return address(broadcastBits, broadcastLength, longBroadcast);
  }

  /**
   * The hardware address that it was built with.
   *
   * @return the address, if the driver tells
   */
  public Optional<HardwareAddress> permanentAddress() {
    return permanentAddress == null
        ? Optional.empty()
        : Optional.of(HardwareAddress.of(permanentAddress));
  }

  /**
   * The largest packet.
   *
   * @return in bytes
   */
  public int mtu() {
    return mtu;
  }

  /**
   * What it can do at the moment.
   *
   * @return the state
   */
  public OperationalState operationalState() {
    return OperationalState.of(Byte.toUnsignedInt(operationalState));
  }

  /**
   * How it becomes operational.
   *
   * @return 0 by itself, 1 dormant until somebody says so
   */
  public int linkMode() {
    return linkMode;
  }

  /**
   * Whether there is a signal on the wire.
   *
   * @return whether there is
   */
  public boolean hasCarrier() {
    return carrier != 0;
  }

  /**
   * Whether it is held down for the sake of a protocol.
   *
   * @return whether it is
   */
  public boolean isProtocolDown() {
    return protocolDown != 0;
  }

  private static OptionalInt positive(int value) {
    return value > 0 ? OptionalInt.of(value) : OptionalInt.empty();
  }

  /**
   * The link that it is built on, or the other end of a pair; in {@link #parentNamespace} if that
   * is present.
   *
   * @return the index of that link, if there is one
   */
  public OptionalInt parentIndex() {
    return positive(parentIndex);
  }

  /**
   * The namespace of the link that it is built on, if that is another one.
   *
   * @return the number that this namespace knows the other by
   */
  public OptionalInt parentNamespace() {
    return parentNamespace >= 0 ? OptionalInt.of(parentNamespace) : OptionalInt.empty();
  }

  /**
   * The link that it is a member of: a bridge, bond or VRF.
   *
   * @return the index of that link, if there is one
   */
  public OptionalInt masterIndex() {
    return positive(masterIndex);
  }

  /**
   * Where it has moved to; only in notifications of links that leave.
   *
   * @return the number that this namespace knows the other by
   */
  public OptionalInt newNamespace() {
    return newNamespace >= 0 ? OptionalInt.of(newNamespace) : OptionalInt.empty();
  }

  /**
   * The index that it has where it has moved to; only in notifications of links that leave.
   *
   * @return the index
   */
  public OptionalInt newIndex() {
    return positive(newIndex);
  }

  /**
   * The group that it is in.
   *
   * @return 0 is the group of all that are not put into another
   */
  public int group() {
    return group;
  }

  /**
   * How many want it to receive everything.
   *
   * @return how many
   */
  public int promiscuity() {
    return promiscuity;
  }

  /**
   * How many want it to receive all multicast.
   *
   * @return how many
   */
  public int allMulticast() {
    return allMulticast;
  }

  /**
   * How often the signal came.
   *
   * @return how often
   */
  public int carrierUps() {
    return carrierUps;
  }

  /**
   * How often the signal went.
   *
   * @return how often
   */
  public int carrierDowns() {
    return carrierDowns;
  }

  /**
   * The XDP program attached to it.
   *
   * @return its number, if there is one
   */
  public OptionalInt xdpProgram() {
    return positive(xdpProgram);
  }

  /**
   * How packets queue to be sent.
   *
   * @return for example {@code noqueue} or {@code fq_codel}
   */
  public String queueDiscipline() {
    return queueDiscipline;
  }

  /**
   * Its kind.
   *
   * @return for example {@code veth}; empty for hardware
   */
  public String kind() {
    return kind;
  }

  /**
   * What it is a member of.
   *
   * @return the kind of its master, for example {@code bridge}; empty if it has none
   */
  public String memberKind() {
    return memberKind;
  }

  /**
   * What links of its kind have beyond others.
   *
   * @return {@link LinkData.None} if there is nothing
   */
  public LinkData data() {
    return data;
  }

  /**
   * What somebody wrote on it.
   *
   * @return its alias; empty if it has none
   */
  public String alias() {
    return alias;
  }

  /**
   * The name of its port on a switch or a NIC with several ports.
   *
   * @return for example {@code p0} or {@code pf0vf3}; empty if the driver tells none
   */
  public String physicalPortName() {
    return physicalPortName;
  }

  /**
   * What is the same for all links on one port.
   *
   * @return the identifier, if the driver tells one
   */
  public Optional<HardwareAddress> physicalPortId() {
    return physicalPortId == null
        ? Optional.empty()
        : Optional.of(HardwareAddress.of(physicalPortId));
  }

  /**
   * What is the same for all links of one switch.
   *
   * @return the identifier, if the driver tells one
   */
  public Optional<HardwareAddress> switchId() {
    return switchId == null ? Optional.empty() : Optional.of(HardwareAddress.of(switchId));
  }

  /**
   * The device that it is on.
   *
   * @return for example {@code 0000:8f:00.0} on the {@link #parentBus} {@code pci}; empty if it is
   *     on none
   */
  public String parentDevice() {
    return parentDevice;
  }

  /**
   * The bus of the device that it is on.
   *
   * @return for example {@code pci}; empty if it is on none
   */
  public String parentBus() {
    return parentBus;
  }

  /**
   * Its limits.
   *
   * @return the limits
   */
  public LinkLimits limits() {
    return limits;
  }

  /**
   * Its virtual functions.
   *
   * @return empty if it has none, or they were not asked for
   */
  public List<VirtualFunction> virtualFunctions() {
    return virtualFunctions;
  }

  /**
   * What it has counted.
   *
   * @return the counters, if they were asked for
   */
  public Optional<LinkStatistics> statistics() {
    return statistics == null ? Optional.empty() : Optional.of(new LinkStatistics(statistics));
  }

  /** For people: index, name, kind, state and address. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder().append(index).append(": ");
    name.chars().forEach(c -> text.append(Character.isISOControl(c) ? '?' : (char) c));
    return text.append(kind.isEmpty() ? "" : " (" + kind + ")")
        .append(isUp() ? " up" : " down")
        .append(", ")
        .append(operationalState())
        .append(", mtu ")
        .append(mtu)
        .append(addressLength == 0 && longAddress == null ? "" : ", " + address())
        .toString();
  }
}
