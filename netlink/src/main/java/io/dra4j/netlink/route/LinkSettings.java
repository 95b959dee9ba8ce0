package io.dra4j.netlink.route;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.MessageWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings to change on a link, all in one message. The kernel checks and applies them in its own
 * order, in which a link is moved and renamed first. Immutable; each method returns new settings.
 *
 * <pre>{@code
 * route.links().change(link, LinkSettings.none().name("net0").mtu(9000).up());
 * }</pre>
 *
 * <p>If a setting fails, the kernel does not undo the settings before it.
 */
public final class LinkSettings {

  private static final int IFF_UP = 1;

  /** The flags that {@code dev_change_flags} of the kernel lets programs change. */
  private static final int CHANGEABLE = 0x1 | 0x4 | 0x20 | 0x80 | 0x100 | 0x200 | 0x1000 | 0xe000;

  private static final int MAX_ALIAS = 255; // IFALIASZ with the zero byte
  private static final int IFALIAS = LinkTables.LINK.type("IFALIAS");
  private static final Header NOTHING = new Header(0, 0, null, -1);
  private static final LinkSettings NONE = new LinkSettings(List.of(), NOTHING);

  private final List<Setting> settings;
  private final Header header;

  private LinkSettings(List<Setting> settings, Header header) {
    this.settings = settings;
    this.header = header;
  }

  /** {@return settings that change nothing, as a start} */
  public static LinkSettings none() {
    return NONE;
  }

  /**
   * {@return settings with the present values of a link, for a similar link, or for this link after
   * it was moved back} They are sizes, group, alias, hardware addresses, flags, master or none, and
   * how IPv6 generates addresses, but no names. Settings as a member of a master ({@link #member})
   * can only be set while it is a member.
   *
   * @param link the link
   */
  public static LinkSettings of(Link link) {
    LinkLimits limits = link.limits();
    LinkSettings all =
        NONE.flags(link.flags() & CHANGEABLE, CHANGEABLE)
            .mtu(link.mtu())
            .sendQueueLength(limits.sendQueueLength())
            .group(link.group())
            .alias(link.alias());
    byte[] address = link.address().toBytes();
    if (!Arrays.equals(address, new byte[address.length]) && !link.isLoopback()) {
      all = all.address(link.address());
    }
    if (!link.broadcast().isEmpty() && !link.isLoopback()) {
      all = all.broadcast(link.broadcast());
    }
    OptionalInt master = link.masterIndex();
    all = master.isPresent() ? all.master(master.getAsInt()) : all.noMaster();
    all = all.offload(limits);
    int mode = link.linkMode();
    all = all.with("mode " + mode, writer -> writer.put("LINKMODE", mode));
    if (link.isProtocolDown()) {
      all =
          all.with(
              new Setting(
                  "protodown on",
                  writer -> writer.put("PROTO_DOWN", 1),
                  When.ONCE_MADE,
                  Nest.NONE));
    }
    if (link.addressGeneration().isPresent()) {
      all = all.addressGeneration(link.addressGeneration().getAsInt());
    }
    if (link.token().isPresent()) {
      all = all.token(link.token().get());
    }
    Attributes others = link.otherAttributes();
    return others.isEmpty() ? all : all.with(others.toString(), writer -> writer.putAll(others));
  }

  private LinkSettings offload(LinkLimits limits) {
    return ifSet("gso_max_segs", "GSO_MAX_SEGS", limits.gsoMaxSegments())
        .ifSet("gso_max_size", "GSO_MAX_SIZE", limits.gsoMaxSize())
        .ifSet("gro_max_size", "GRO_MAX_SIZE", limits.groMaxSize())
        .ifSet("gso_ipv4_max_size", "GSO_IPV4_MAX_SIZE", limits.gsoIpv4MaxSize())
        .ifSet("gro_ipv4_max_size", "GRO_IPV4_MAX_SIZE", limits.groIpv4MaxSize());
  }

  private LinkSettings ifSet(String text, String attribute, int value) {
    return value == 0 ? this : number(text, attribute, value);
  }

  /**
   * {@return settings with a mode of IPv6 address generation ({@code IFLA_INET6_ADDR_GEN_MODE})}
   *
   * @param mode 0 by hardware address, 1 not at all, 2 by a configured secret, 3 by a random secret
   * @throws IllegalArgumentException if the mode is out of range
   */
  public LinkSettings addressGeneration(int mode) {
    Numbers.u8("addrgenmode", mode);
    return ofIpv6("addrgenmode " + mode, writer -> writer.put("ADDR_GEN_MODE", mode));
  }

  /**
   * {@return the settings with the last 64 bits, in place of the hardware address, of addresses
   * that IPv6 generates from router advertisements ({@code IFLA_INET6_TOKEN}, {@code ip token})}
   * The kernel refuses them if {@code accept_ra} or {@code router_solicitations} is 0.
   *
   * @param token an IPv6 address whose last 64 bits count; {@code ::} for none
   * @throws IllegalArgumentException if it is an IPv4 address
   */
  public LinkSettings token(IpAddress token) {
    if (!token.isV6()) {
      throw new IllegalArgumentException("token " + token + ", expected an IPv6 address");
    }
    return ofIpv6("token " + token, writer -> writer.put("TOKEN", token.toBytes()));
  }

  private LinkSettings ofIpv6(String text, Setting.Writer writer) {
    return with(new Setting(text, writer, When.ONCE_MADE, Nest.IPV6));
  }

  /**
   * {@return the settings with those of a bridge or bond member ({@code IFLA_INFO_SLAVE_DATA})}
   *
   * @param kind the kind of the master, for example {@code bridge}
   * @param attributes the settings, for example {@link Link#memberAttributes()}
   */
  public LinkSettings member(String kind, Attributes attributes) {
    return nested(
        "settings as member of a " + kind, "SLAVE_", kind, LinkTables.ofMember(kind), attributes);
  }

  /**
   * {@return the settings with those of the link's kind ({@code IFLA_INFO_DATA})}
   *
   * @param kind the kind of the link, for example {@code macvlan}
   * @param attributes the settings, for example some of {@link Link#kindAttributes()}
   */
  public LinkSettings kind(String kind, Attributes attributes) {
    return nested(
        "settings of a " + kind,
        "",
        kind,
        LinkTables.ofKind(kind),
        NewLink.Creation.changing(kind, attributes));
  }

  private LinkSettings nested(
      String text, String prefix, String kind, AttributeTable table, Attributes attributes) {
    Setting.Writer write =
        writer -> {
          writer.put(prefix + "KIND", kind);
          int data = writer.open(prefix + "DATA", table);
          writer.putAll(attributes).close(data);
        };
    return with(new Setting(text, write, When.ONCE_MADE, Nest.INFO));
  }

  private LinkSettings with(String text, Setting.Writer writer) {
    return with(new Setting(text, writer, When.ALWAYS, Nest.NONE));
  }

  private LinkSettings with(Setting setting) {
    return with(setting, header);
  }

  private LinkSettings with(Setting setting, Header changed) {
    List<Setting> more = new ArrayList<>(settings);
    more.add(setting);
    return new LinkSettings(List.copyOf(more), changed);
  }

  /** Adds a size, a count or an index: 31 bits. */
  private LinkSettings number(String text, String attribute, int value) {
    Numbers.positive(text, value);
    return with(text + " " + value, writer -> writer.put(attribute, value));
  }

  private LinkSettings withFlags(String text, int value, int mask) {
    int flags = (header.flags & ~mask) | (value & mask);
    return with(
        new Setting(text, writer -> {}, When.ALWAYS, Nest.NONE),
        new Header(flags, header.changed | mask, header.target, header.targetNumber));
  }

  /** {@return these settings, with the link switched on ({@code IFF_UP})} */
  public LinkSettings up() {
    return withFlags("up", IFF_UP, IFF_UP);
  }

  /** {@return these settings, with the link switched off ({@code IFF_UP})} */
  public LinkSettings down() {
    return withFlags("down", 0, IFF_UP);
  }

  /**
   * {@return the settings with flags ({@code ifi_flags}, {@code ifi_change})}
   *
   * @param value their new values, {@code IFF_...} of {@code linux/if.h}
   * @param mask the flags to set
   */
  public LinkSettings flags(int value, int mask) {
    return withFlags(
        "flags 0x" + Integer.toHexString(value) + "/0x" + Integer.toHexString(mask), value, mask);
  }

  /**
   * {@return the settings with a new name ({@code IFLA_IFNAME})}
   *
   * @param name at most 15 bytes; before Linux 6.2, the link must be down to be renamed
   * @throws IllegalArgumentException if it is not a valid name of a link
   */
  public LinkSettings name(String name) {
    InterfaceName.check(name);
    return with("name " + name, writer -> writer.put("IFNAME", name));
  }

  /**
   * {@return the settings with an MTU ({@code IFLA_MTU})}
   *
   * @param bytes the MTU in bytes
   */
  public LinkSettings mtu(int bytes) {
    Numbers.positive("mtu", bytes);
    return with(
        new Setting("mtu " + bytes, writer -> writer.put("MTU", bytes), When.AGAIN, Nest.NONE));
  }

  /**
   * {@return the settings with a hardware address ({@code IFLA_ADDRESS})}
   *
   * @param address an address of the length that the link requires. The length is checked when the
   *     link is changed; for a new link, only if its kind is always Ethernet
   */
  public LinkSettings address(HardwareAddress address) {
    return with("address " + address, new OfAddress("ADDRESS", address));
  }

  /**
   * {@return the settings with a broadcast hardware address ({@code IFLA_BROADCAST})}
   *
   * @param address an address of the length that the link requires, as in {@link #address}
   */
  public LinkSettings broadcast(HardwareAddress address) {
    return with("broadcast " + address, new OfAddress("BROADCAST", address));
  }

  private record OfAddress(String attribute, HardwareAddress address) implements Setting.Writer {

    @Override
    public void write(MessageWriter writer) {
      writer.put(attribute, address.toBytes());
    }
  }

  /** Returns the hardware addresses in the settings, for the link itself. */
  List<HardwareAddress> hardwareAddresses() {
    return settings.stream()
        .filter(one -> one.writer instanceof OfAddress)
        .map(one -> ((OfAddress) one.writer).address)
        .toList();
  }

  /**
   * {@return the settings with a bridge, bond or VRF as the link's master ({@code IFLA_MASTER})}
   *
   * @param index the index of the master
   * @throws IllegalArgumentException if the index is not positive
   */
  public LinkSettings master(int index) {
    return number("master", "MASTER", Links.checkIndex(index));
  }

  /** {@return these settings, without a master ({@code IFLA_MASTER} 0)} */
  public LinkSettings noMaster() {
    return number("master", "MASTER", 0);
  }

  /**
   * {@return the settings with a limit of packets that wait to be sent ({@code IFLA_TXQLEN})}
   *
   * @param packets the maximum number
   */
  public LinkSettings sendQueueLength(int packets) {
    return number("txqueuelen", "TXQLEN", packets);
  }

  /**
   * {@return the settings with a group of the link ({@code IFLA_GROUP})}
   *
   * @param number the group
   */
  public LinkSettings group(int number) {
    return number("group", "GROUP", number);
  }

  /**
   * {@return the settings with an alias ({@code IFLA_IFALIAS})}
   *
   * @param text at most 255 bytes; empty to remove it
   * @throws IllegalArgumentException if it is too long, or contains a zero byte or half of a
   *     surrogate pair
   */
  public LinkSettings alias(String text) {
    byte[] bytes = Attributes.utf8(text);
    if (bytes.length > MAX_ALIAS) {
      throw new IllegalArgumentException(
          "alias of " + bytes.length + " bytes, must be at most " + MAX_ALIAS);
    }
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("alias contains a zero byte");
    }
    StringBuilder shown = new StringBuilder("alias '");
    text.chars().forEach(c -> shown.append(Character.isISOControl(c) ? '?' : (char) c));
    String said = shown.append('\'').toString();
    // without the zero byte, which would count as one of the 255
    return with(
        new Setting(said, writer -> writer.putBytes(IFALIAS, bytes), When.ONCE_MADE, Nest.NONE));
  }

  /**
   * {@return the settings with a maximum GSO packet size ({@code IFLA_GSO_MAX_SIZE})}
   *
   * @param bytes the size of a packet, which is segmented later
   */
  public LinkSettings gsoMaxSize(int bytes) {
    return number("gso_max_size", "GSO_MAX_SIZE", bytes);
  }

  /**
   * {@return the settings with a maximum IPv4 GSO packet size ({@code IFLA_GSO_IPV4_MAX_SIZE})}
   *
   * @param bytes the size
   */
  public LinkSettings gsoIpv4MaxSize(int bytes) {
    return number("gso_ipv4_max_size", "GSO_IPV4_MAX_SIZE", bytes);
  }

  /**
   * {@return the settings with a maximum GRO packet size ({@code IFLA_GRO_MAX_SIZE})}
   *
   * @param bytes the size of a packet that GRO combines
   */
  public LinkSettings groMaxSize(int bytes) {
    return number("gro_max_size", "GRO_MAX_SIZE", bytes);
  }

  /**
   * {@return the settings with a maximum IPv4 GRO packet size ({@code IFLA_GRO_IPV4_MAX_SIZE})}
   *
   * @param bytes the size of a packet that GRO combines
   */
  public LinkSettings groIpv4MaxSize(int bytes) {
    return number("gro_ipv4_max_size", "GRO_IPV4_MAX_SIZE", bytes);
  }

  /**
   * {@return the settings with a move to another namespace ({@code IFLA_NET_NS_FD})} The link keeps
   * its name, MTU and hardware address unless they are set, loses addresses and routes, and is down
   * afterwards. The kernel moves it first: if it refuses another setting, such as a name that is in
   * use there, the link has moved nevertheless; {@link LinkMove} brings it back in this case.
   *
   * @param namespace the namespace, which must be open until the request is done
   */
  public LinkSettings namespace(NetworkNamespace namespace) {
    String text = "network namespace " + namespace;
    Setting.Writer write = writer -> writer.put("NET_NS_FD", namespace.descriptor());
    return with(
        new Setting(text, write, When.ALWAYS, Nest.NONE),
        new Header(header.flags, header.changed, namespace, -1));
  }

  /**
   * {@return the settings with a move to another namespace ({@code IFLA_TARGET_NETNSID})}
   *
   * @param number the number of that namespace in this namespace; see {@link NamespaceIds}
   */
  public LinkSettings namespaceId(int number) {
    Numbers.positive("number of a namespace", number);
    String text = "network namespace number " + number;
    Setting.Writer write = writer -> writer.put("TARGET_NETNSID", number);
    return with(
        new Setting(text, write, When.ALWAYS, Nest.NONE),
        new Header(header.flags, header.changed, null, number));
  }

  /**
   * {@return the settings with an address of a virtual function ({@code IFLA_VF_MAC})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param address its hardware address
   */
  public LinkSettings functionAddress(int function, HardwareAddress address) {
    byte[] room = Arrays.copyOf(address.toBytes(), HardwareAddress.MAX_LENGTH);
    return function("vf " + function + " address " + address, "MAC", function, room);
  }

  /**
   * {@return the settings with a VLAN of a virtual function ({@code IFLA_VF_VLAN})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param vlan the VLAN; 0 for none
   * @param priority its priority in the VLAN
   */
  public LinkSettings functionVlan(int function, int vlan, int priority) {
    Numbers.check("vlan", vlan, 0, 4095);
    Numbers.check("priority", priority, 0, 7);
    return function("vf " + function + " vlan " + vlan, "VLAN", function, vlan, priority);
  }

  /**
   * {@return the settings with bandwidth limits of a virtual function ({@code IFLA_VF_RATE})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param min the guaranteed bandwidth, in Mbit/s; 0 for none
   * @param max the maximum bandwidth, in Mbit/s; 0 for no limit
   */
  public LinkSettings functionRate(int function, int min, int max) {
    Numbers.positive("min rate", min);
    Numbers.positive("max rate", max);
    return function("vf " + function + " rate " + min + " to " + max, "RATE", function, min, max);
  }

  /**
   * {@return the settings with an address check of a virtual function ({@code IFLA_VF_SPOOFCHK})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param check whether its packets from other addresses are dropped
   */
  public LinkSettings functionSpoofCheck(int function, boolean check) {
    return function("vf " + function + " spoofchk " + check, "SPOOFCHK", function, check ? 1 : 0);
  }

  /**
   * {@return the settings with the trust in a virtual function ({@code IFLA_VF_TRUST})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param trust whether it may change settings that only trusted functions may change
   */
  public LinkSettings functionTrust(int function, boolean trust) {
    return function("vf " + function + " trust " + trust, "TRUST", function, trust ? 1 : 0);
  }

  /**
   * {@return the settings with the link state of a virtual function ({@code IFLA_VF_LINK_STATE})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param state how its link behaves
   */
  public LinkSettings functionLinkState(int function, VirtualFunction.LinkState state) {
    int number =
        switch (state) {
          case AUTO -> 0;
          case ENABLE -> 1;
          case DISABLE -> 2;
        };
    return function("vf " + function + " state " + state, "LINK_STATE", function, number);
  }

  /**
   * {@return the settings with a GUID of a virtual function's node ({@code IFLA_VF_IB_NODE_GUID})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param guid the GUID of its InfiniBand node, as the 64 bits of the long
   */
  public LinkSettings functionNodeGuid(int function, long guid) {
    return guid("node", "IB_NODE_GUID", function, guid);
  }

  /**
   * {@return the settings with a GUID of a virtual function's port ({@code IFLA_VF_IB_PORT_GUID})}
   *
   * @param function the number of a virtual function; the link is its physical function
   * @param guid the GUID of its InfiniBand port, as the 64 bits of the long
   */
  public LinkSettings functionPortGuid(int function, long guid) {
    return guid("port", "IB_PORT_GUID", function, guid);
  }

  /** Adds a {@code struct ifla_vf_guid}. */
  private LinkSettings guid(String which, String attribute, int function, long guid) {
    ByteBuffer padded = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder()).putLong(4, guid);
    String text = "vf %d %s guid %016x".formatted(function, which, guid);
    return function(text, attribute, function, padded.array());
  }

  private LinkSettings function(String text, String attribute, int function, int... fields) {
    ByteBuffer all = ByteBuffer.allocate(4 * fields.length).order(ByteOrder.nativeOrder());
    Arrays.stream(fields).forEach(all::putInt);
    return function(text, attribute, function, all.array());
  }

  /** Adds a structure of a virtual function, which begins with the number of the function. */
  private LinkSettings function(String text, String attribute, int function, byte[] rest) {
    Numbers.positive("vf", function);
    Setting.Writer write =
        writer -> {
          int info = writer.open("VF_INFO");
          int structure = writer.openPlain(attribute);
          writer.appendU32(function).appendBytes(rest).close(structure).close(info);
        };
    return with(new Setting(text, write, When.ALWAYS, Nest.FUNCTIONS));
  }

  /**
   * {@return the settings with an attribute of any type}
   *
   * @param type its type, {@code IFLA_...} of {@code linux/if_link.h}; 0 to 16383, with {@code
   *     NLA_F_NESTED} if it is a nest
   * @param value its value
   * @throws IllegalArgumentException if the type is out of range
   */
  public LinkSettings attribute(int type, byte[] value) {
    Attributes.checkType(type);
    byte[] copy = value.clone();
    return with(LinkTables.LINK.name(type), writer -> writer.putBytes(type, copy));
  }

  /**
   * {@return the settings with any attribute that this library has a name for}
   *
   * @param name its name without the prefix, for example {@code MTU} for {@code IFLA_MTU}
   * @param value its value in the kernel's format
   * @throws IllegalArgumentException if there is no attribute of that name
   */
  public LinkSettings attribute(String name, byte[] value) {
    return attribute(LinkTables.LINK.type(name), value);
  }

  Header header() {
    return header;
  }

  /** Returns the settings that the kernel accepts for a new link; it is switched on at the end. */
  LinkSettings whileMade() {
    List<Setting> taken =
        settings.stream().filter(setting -> setting.when != When.ONCE_MADE).toList();
    boolean isAll = settings.stream().noneMatch(one -> one.when == When.ONCE_MADE);
    int mask = isAll ? header.changed : header.changed & ~IFF_UP;
    return new LinkSettings(
        taken, new Header(header.flags & mask, mask, header.target, header.targetNumber));
  }

  /** Returns the remaining settings for a created link, whose kind may have chosen another MTU. */
  LinkSettings onceMade(int mtu) {
    String same = "mtu " + mtu;
    List<Setting> rest =
        settings.stream()
            .filter(
                setting ->
                    setting.when == When.ONCE_MADE
                        || (setting.when == When.AGAIN && !setting.text.equals(same)))
            .toList();
    return rest.isEmpty()
        ? NONE
        : new LinkSettings(rest, new Header(header.flags, header.changed, null, -1));
  }

  /** Returns whether the MTU must be set first: with a small MTU, a link has no IPv6 to set yet. */
  boolean needsMtuFirst() {
    return header.isHere()
        && settings.stream().anyMatch(one -> one.nest == Nest.IPV6)
        && settings.stream().anyMatch(one -> one.when == When.AGAIN);
  }

  /** Returns the settings of IPv6 only, or all others. */
  LinkSettings ofIpv6(boolean only) {
    List<Setting> some = settings.stream().filter(one -> (one.nest == Nest.IPV6) == only).toList();
    return new LinkSettings(some, only ? NOTHING : header);
  }

  boolean isEmpty() {
    return settings.isEmpty();
  }

  /** Writes the settings in one nest per type: the kernel would use only the last of several. */
  void write(MessageWriter writer) {
    for (Nest nest : Nest.values()) {
      List<Setting> inside = settings.stream().filter(one -> one.nest == nest).toList();
      if (!inside.isEmpty()) {
        int[] opened = nest.path.stream().mapToInt(writer::open).toArray();
        inside.forEach(one -> one.writer.write(writer));
        for (int i = opened.length - 1; i >= 0; i--) {
          writer.close(opened[i]);
        }
      }
    }
  }

  /** Returns all settings for people, separated by commas. */
  @Override
  public String toString() {
    return settings.stream().map(setting -> setting.text).collect(Collectors.joining(", "));
  }

  /**
   * Settings that are not, or not only, in attributes.
   *
   * @param flags the flags to set ({@code ifi_flags})
   * @param changed the mask of flags to set ({@code ifi_change})
   * @param target the namespace to move the link to, if given as a file
   * @param targetNumber the number of that namespace, if given as a number; otherwise -1
   */
  record Header(int flags, int changed, @Nullable NetworkNamespace target, int targetNumber) {

    boolean isHere() {
      return target == null && targetNumber < 0;
    }
  }

  /** The attributes that contain a setting. */
  @SuppressWarnings("ImmutableEnumChecker") // a list of List.of
  private enum Nest {
    NONE,
    INFO("LINKINFO"),
    IPV6("AF_SPEC", "INET6"),
    FUNCTIONS("VFINFO_LIST");

    private final List<String> path;

    Nest(String... path) {
      this.path = List.of(path);
    }
  }

  /** When a setting is sent. */
  private enum When {
    ALWAYS,
    /** The MTU: with the new link, and again for the created link if its kind chose another MTU. */
    AGAIN,
    /** Not for a new link: the kernel refuses or ignores it, or has the kind in the same nest. */
    ONCE_MADE
  }

  /** One setting, and how it is written. */
  private record Setting(String text, Writer writer, When when, Nest nest) {

    @FunctionalInterface
    interface Writer {
      void write(MessageWriter writer);
    }
  }
}
