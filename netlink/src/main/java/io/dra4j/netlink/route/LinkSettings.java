package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.LinkAttributes.*;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.MessageWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What to set on a link, all in one message: the kernel checks and applies it in its own order, in
 * which a link is moved and renamed first. Immutable; each method gives new settings.
 *
 * <p>The kernel does not take back what it has done when a later setting fails.
 */
public final class LinkSettings {

  private static final int IFF_UP = 1;
  private static final LinkSettings NONE = new LinkSettings(List.of(), 0, 0);

  private final List<Setting> settings;
  private final int flags;
  private final int changedFlags;

  private LinkSettings(List<Setting> settings, int flags, int changedFlags) {
    this.settings = settings;
    this.flags = flags;
    this.changedFlags = changedFlags;
  }

  /**
   * Nothing yet.
   *
   * @return settings that change nothing
   */
  public static LinkSettings none() {
    return NONE;
  }

  private LinkSettings with(String text, Setting.Writer writer) {
    List<Setting> more = new ArrayList<>(settings);
    more.add(new Setting(text, writer, false));
    return new LinkSettings(List.copyOf(more), flags, changedFlags);
  }

  private LinkSettings withFlags(String text, int value, int mask) {
    List<Setting> more = new ArrayList<>(settings);
    more.add(new Setting(text, writer -> {}, false));
    return new LinkSettings(
        List.copyOf(more), (flags & ~mask) | (value & mask), changedFlags | mask);
  }

  /**
   * Switches it on.
   *
   * @return the settings
   */
  public LinkSettings up() {
    return withFlags("up", IFF_UP, IFF_UP);
  }

  /**
   * Switches it off.
   *
   * @return the settings
   */
  public LinkSettings down() {
    return withFlags("down", 0, IFF_UP);
  }

  /**
   * Sets flags.
   *
   * @param value their new values, {@code IFF_...} of {@code linux/if.h}
   * @param mask which of them to set
   * @return the settings
   */
  public LinkSettings flags(int value, int mask) {
    return withFlags(
        "flags 0x" + Integer.toHexString(value) + "/0x" + Integer.toHexString(mask), value, mask);
  }

  /**
   * Renames it. Kernels before 6.2 want it to be down.
   *
   * @param name at most 15 bytes
   * @return the settings
   * @throws IllegalArgumentException if it cannot be the name of a link
   */
  public LinkSettings name(String name) {
    InterfaceName.check(name);
    return with("name " + name, writer -> writer.putString(IFLA_IFNAME, name));
  }

  /**
   * Sets the largest packet.
   *
   * @param bytes the MTU
   * @return the settings
   */
  public LinkSettings mtu(int bytes) {
    return with("mtu " + bytes, writer -> writer.putU32(IFLA_MTU, bytes));
  }

  /**
   * Sets its hardware address.
   *
   * @param address an address of the length that the link has
   * @return the settings
   */
  public LinkSettings address(HardwareAddress address) {
    return with("address " + address, writer -> writer.putBytes(IFLA_ADDRESS, address.toBytes()));
  }

  /**
   * Makes it a member of a bridge, bond or VRF, or of none.
   *
   * @param index the index of the master; 0 for none
   * @return the settings
   */
  public LinkSettings master(int index) {
    return with("master " + index, writer -> writer.putU32(IFLA_MASTER, index));
  }

  /**
   * Sets how many packets may wait to be sent.
   *
   * @param packets how many
   * @return the settings
   */
  public LinkSettings sendQueueLength(int packets) {
    return with("txqueuelen " + packets, writer -> writer.putU32(IFLA_TXQLEN, packets));
  }

  /**
   * Puts it into a group.
   *
   * @param number the group
   * @return the settings
   */
  public LinkSettings group(int number) {
    return with("group " + number, writer -> writer.putU32(IFLA_GROUP, number));
  }

  /**
   * Writes something on it.
   *
   * @param text at most 255 bytes; empty to remove it
   * @return the settings
   */
  public LinkSettings alias(String text) {
    return with("alias", writer -> writer.putString(IFLA_IFALIAS, text));
  }

  /**
   * Sets the largest packet to be cut later.
   *
   * @param bytes its size
   * @return the settings
   */
  public LinkSettings gsoMaxSize(int bytes) {
    return with("gso_max_size " + bytes, writer -> writer.putU32(IFLA_GSO_MAX_SIZE, bytes));
  }

  /**
   * Sets the largest IPv4 packet to be cut later.
   *
   * @param bytes its size
   * @return the settings
   */
  public LinkSettings gsoIpv4MaxSize(int bytes) {
    return with(
        "gso_ipv4_max_size " + bytes, writer -> writer.putU32(IFLA_GSO_IPV4_MAX_SIZE, bytes));
  }

  /**
   * Sets the largest packet to be put together.
   *
   * @param bytes its size
   * @return the settings
   */
  public LinkSettings groMaxSize(int bytes) {
    return with("gro_max_size " + bytes, writer -> writer.putU32(IFLA_GRO_MAX_SIZE, bytes));
  }

  /**
   * Sets the largest IPv4 packet to be put together.
   *
   * @param bytes its size
   * @return the settings
   */
  public LinkSettings groIpv4MaxSize(int bytes) {
    return with(
        "gro_ipv4_max_size " + bytes, writer -> writer.putU32(IFLA_GRO_IPV4_MAX_SIZE, bytes));
  }

  /**
   * Moves it to another namespace. It keeps name, MTU and hardware address unless they are set,
   * loses addresses and routes, and is down there.
   *
   * @param namespace the namespace, which must be open until the request is done
   * @return the settings
   */
  public LinkSettings namespace(NetworkNamespace namespace) {
    return with(
        "network namespace " + namespace,
        writer -> writer.putU32(IFLA_NET_NS_FD, namespace.descriptor().number()));
  }

  /**
   * Moves it to another namespace.
   *
   * @param number the number that this namespace knows the other by; see {@link NamespaceIds}
   * @return the settings
   */
  public LinkSettings namespaceId(int number) {
    return with(
        "network namespace number " + number, writer -> writer.putU32(IFLA_TARGET_NETNSID, number));
  }

  /**
   * Sets the hardware address of a virtual function; for its physical function.
   *
   * @param function the number of the virtual function
   * @param address its address
   * @return the settings
   */
  public LinkSettings functionAddress(int function, HardwareAddress address) {
    byte[] room = new byte[32]; // MAX_ADDR_LEN
    System.arraycopy(address.toBytes(), 0, room, 0, address.length());
    return function(
        "vf " + function + " address " + address,
        writer -> {
          int opened = writer.openPlain(IFLA_VF_MAC);
          writer.appendU32(function).appendBytes(room).close(opened);
        });
  }

  /**
   * Puts a virtual function into a VLAN; for its physical function.
   *
   * @param function the number of the virtual function
   * @param vlan the VLAN; 0 for none
   * @param priority its priority in the VLAN
   * @return the settings
   */
  public LinkSettings functionVlan(int function, int vlan, int priority) {
    return function("vf " + function + " vlan " + vlan, IFLA_VF_VLAN, function, vlan, priority);
  }

  /**
   * Limits the bandwidth of a virtual function; for its physical function.
   *
   * @param function the number of the virtual function
   * @param min what it is sure of, in Mbit/s; 0 for none
   * @param max what it is limited to, in Mbit/s; 0 for no limit
   * @return the settings
   */
  public LinkSettings functionRate(int function, int min, int max) {
    return function(
        "vf " + function + " rate " + min + " to " + max, IFLA_VF_RATE, function, min, max);
  }

  /**
   * Sets whether packets of a virtual function from other addresses are dropped; for its physical
   * function.
   *
   * @param function the number of the virtual function
   * @param check whether they are
   * @return the settings
   */
  public LinkSettings functionSpoofCheck(int function, boolean check) {
    return function(
        "vf " + function + " spoofchk " + check, IFLA_VF_SPOOFCHK, function, check ? 1 : 0);
  }

  /**
   * Sets whether a virtual function may change what only trusted ones may; for its physical
   * function.
   *
   * @param function the number of the virtual function
   * @param trust whether it may
   * @return the settings
   */
  public LinkSettings functionTrust(int function, boolean trust) {
    return function("vf " + function + " trust " + trust, IFLA_VF_TRUST, function, trust ? 1 : 0);
  }

  /**
   * Sets how the link of a virtual function behaves; for its physical function.
   *
   * @param function the number of the virtual function
   * @param state how
   * @return the settings
   */
  public LinkSettings functionLinkState(int function, VirtualFunction.LinkState state) {
    int number =
        switch (state) {
          case AUTO -> 0;
          case ENABLE -> 1;
          case DISABLE -> 2;
        };
    return function("vf " + function + " state " + state, IFLA_VF_LINK_STATE, function, number);
  }

  private LinkSettings function(String text, int attribute, int... fields) {
    return function(
        text,
        writer -> {
          int opened = writer.openPlain(attribute);
          for (int field : fields) {
            writer.appendU32(field);
          }
          writer.close(opened);
        });
  }

  private LinkSettings function(String text, Setting.Writer inside) {
    List<Setting> more = new ArrayList<>(settings);
    more.add(new Setting(text, inside, true));
    return new LinkSettings(List.copyOf(more), flags, changedFlags);
  }

  /**
   * Sets any attribute.
   *
   * @param type its type, {@code IFLA_...} of {@code linux/if_link.h}
   * @param value its value
   * @return the settings
   */
  public LinkSettings attribute(int type, byte[] value) {
    byte[] copy = value.clone();
    return with(LINK.name(type), writer -> writer.putBytes(type, copy));
  }

  int flags() {
    return flags;
  }

  int changedFlags() {
    return changedFlags;
  }

  /** The kernel takes one list of virtual functions; of several it would see the last one only. */
  void write(MessageWriter writer) {
    List<Setting> functions = new ArrayList<>();
    for (Setting setting : settings) {
      if (setting.ofFunction) {
        functions.add(setting);
      } else {
        setting.writer.write(writer);
      }
    }
    if (!functions.isEmpty()) {
      int list = writer.open(IFLA_VFINFO_LIST);
      for (Setting setting : functions) {
        int info = writer.open(IFLA_VF_INFO);
        setting.writer.write(writer);
        writer.close(info);
      }
      writer.close(list);
    }
  }

  /** For people: all settings with commas between. */
  @Override
  public String toString() {
    return settings.stream().map(setting -> setting.text).collect(Collectors.joining(", "));
  }

  /** One thing to set, and how it is said. */
  private record Setting(String text, Writer writer, boolean ofFunction) {

    @FunctionalInterface
    interface Writer {
      void write(MessageWriter writer);
    }
  }
}
