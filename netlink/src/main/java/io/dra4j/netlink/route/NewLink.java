package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.LinkAttributes.*;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.MessageWriter;
import java.util.function.Consumer;

/** A link that is to be made: its name, its kind with what that needs, and settings. Immutable. */
public final class NewLink {

  private static final int VETH_INFO_PEER = 1;

  private final String name;
  private final String kind;
  private final int parent;
  private final LinkSettings settings;
  private final Consumer<MessageWriter> data;

  private NewLink(
      String name, String kind, int parent, LinkSettings settings, Consumer<MessageWriter> data) {
    this.name = InterfaceName.check(name);
    this.kind = kind;
    this.parent = parent;
    this.settings = settings;
    this.data = data;
  }

  /**
   * A link of a kind that needs nothing else, such as {@code dummy}, {@code ifb} or {@code bridge}.
   *
   * @param name its name
   * @param kind its kind
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink ofKind(String name, String kind) {
    return new NewLink(name, kind, 0, LinkSettings.none(), writer -> {});
  }

  /**
   * Two links whose packets come out of the other.
   *
   * @param name the name of one
   * @param peer the name of the other
   * @return the links
   * @throws IllegalArgumentException if a name cannot be that of a link
   */
  public static NewLink veth(String name, String peer) {
    return veth(name, peer, LinkSettings.none());
  }

  /**
   * Two links whose packets come out of the other, the other one in another namespace.
   *
   * @param name the name of one
   * @param peer the name of the other
   * @param namespace where the other is made
   * @return the links
   * @throws IllegalArgumentException if a name cannot be that of a link
   */
  public static NewLink veth(String name, String peer, NetworkNamespace namespace) {
    return veth(name, peer, LinkSettings.none().namespace(namespace));
  }

  /**
   * Two links whose packets come out of the other.
   *
   * @param name the name of one
   * @param peer the name of the other
   * @param peerSettings settings of the other
   * @return the links
   * @throws IllegalArgumentException if a name cannot be that of a link
   */
  public static NewLink veth(String name, String peer, LinkSettings peerSettings) {
    LinkSettings all = peerSettings.name(peer);
    return new NewLink(
        name,
        "veth",
        0,
        LinkSettings.none(),
        writer -> {
          int opened = writer.open(VETH_INFO_PEER);
          writer.appendZeros(8).appendU32(all.flags()).appendU32(all.changedFlags());
          all.write(writer);
          writer.close(opened);
        });
  }

  /**
   * A switch in software.
   *
   * @param name its name
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink bridge(String name) {
    return ofKind(name, "bridge");
  }

  /**
   * A VLAN.
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param id the number of the VLAN, 0 to 4094
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink vlan(String name, int parent, int id) {
    return new NewLink(
        name, "vlan", parent, LinkSettings.none(), writer -> writer.putU16(IFLA_VLAN_ID, id));
  }

  /**
   * A link with an address of its own on another.
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param mode how such links reach each other
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink macvlan(String name, int parent, LinkData.MacvlanMode mode) {
    return new NewLink(
        name,
        "macvlan",
        parent,
        LinkSettings.none(),
        writer -> writer.putU32(IFLA_MACVLAN_MODE, mode.number()));
  }

  /**
   * A link with the address of another.
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param mode where packets are divided
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink ipvlan(String name, int parent, LinkData.IpvlanMode mode) {
    int number =
        switch (mode) {
          case L2 -> 0;
          case L3 -> 1;
          case L3S -> 2;
        };
    return new NewLink(
        name,
        "ipvlan",
        parent,
        LinkSettings.none(),
        writer -> writer.putU16(IFLA_IPVLAN_MODE, number));
  }

  /**
   * A routing table of its own for links.
   *
   * @param name its name
   * @param table the number of the table
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink vrf(String name, int table) {
    return new NewLink(
        name, "vrf", 0, LinkSettings.none(), writer -> writer.putU32(IFLA_VRF_TABLE, table));
  }

  /**
   * Several links as one.
   *
   * @param name its name
   * @param mode 0 round-robin, 1 active-backup, 2 xor, 3 broadcast, 4 802.3ad, 5 tlb, 6 alb
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink bond(String name, int mode) {
    return new NewLink(
        name, "bond", 0, LinkSettings.none(), writer -> writer.putU8(IFLA_BOND_MODE, mode));
  }

  /**
   * IP over InfiniBand in a partition.
   *
   * @param name its name
   * @param parent the index of the link that it is on
   * @param partitionKey the partition
   * @return the link
   * @throws IllegalArgumentException if the name cannot be that of a link
   */
  public static NewLink ipoib(String name, int parent, int partitionKey) {
    return new NewLink(
        name,
        "ipoib",
        parent,
        LinkSettings.none(),
        writer -> writer.putU16(IFLA_IPOIB_PKEY, partitionKey));
  }

  /**
   * The link with settings, from the beginning.
   *
   * @param newSettings the settings; a name in them is not allowed
   * @return the link
   */
  public NewLink with(LinkSettings newSettings) {
    return new NewLink(name, kind, parent, newSettings, data);
  }

  LinkSettings settings() {
    return settings;
  }

  void write(MessageWriter writer) {
    writer.putString(IFLA_IFNAME, name);
    if (parent != 0) {
      writer.putU32(IFLA_LINK, parent);
    }
    int info = writer.open(IFLA_LINKINFO);
    writer.putString(IFLA_INFO_KIND, kind);
    int opened = writer.open(IFLA_INFO_DATA);
    data.accept(writer);
    writer.close(opened).close(info);
    settings.write(writer);
  }

  @Override
  public String toString() {
    return "create " + kind + " " + name;
  }
}
