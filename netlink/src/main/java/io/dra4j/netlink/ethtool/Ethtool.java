package io.dra4j.netlink.ethtool;

import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.LinkKey;
import io.dra4j.netlink.Message;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.generic.GenericFamily;
import io.dra4j.netlink.generic.GenericNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Reads and sets options of network hardware in one network namespace, as {@code ethtool} does
 * (generic netlink family {@code ethtool}, {@code linux/ethtool_netlink.h}, Linux 5.6).
 * Thread-safe.
 *
 * <pre>{@code
 * try (Ethtool ethtool = Ethtool.open()) {
 *   Feature tso = ethtool.features(LinkKey.of("eth0")).get("tx-tcp-segmentation");
 *   if (tso.changeable() && tso.active()) {
 *     ethtool.setFeatures(LinkKey.of("eth0"), Map.of(tso.name(), false));
 *   }
 * }
 * }</pre>
 */
public final class Ethtool implements AutoCloseable {

  private static final int LINKINFO_GET = 2;
  private static final int LINKMODES_GET = 4;
  private static final int LINKSTATE_GET = 6;
  private static final int FEATURES_GET = 11;
  private static final int FEATURES_SET = 12;
  private static final int PRIVFLAGS_GET = 13;
  private static final int PRIVFLAGS_SET = 14;
  private static final int CHANNELS_GET = 17;
  private static final int CHANNELS_SET = 18;
  private static final int UNKNOWN_DUPLEX = 255;

  private static final AttributeTable LINKINFO =
      table("LINKINFO_", "PORT:u8 PHYADDR:u8 TP_MDIX:u8 TP_MDIX_CTRL:u8 TRANSCEIVER:u8");
  private static final AttributeTable LINKMODES =
      table(
              "LINKMODES_",
              "AUTONEG:u8 OURS:nest PEER:nest SPEED:u32 DUPLEX:u8 MASTER_SLAVE_CFG:u8 "
                  + "MASTER_SLAVE_STATE:u8 LANES:u32 RATE_MATCHING:u8")
          .with("OURS", Bitset.TABLE)
          .with("PEER", Bitset.TABLE);
  private static final AttributeTable LINKSTATE =
      table(
          "LINKSTATE_",
          "LINK:u8 SQI:u32 SQI_MAX:u32 EXT_STATE:u8 EXT_SUBSTATE:u8 EXT_DOWN_CNT:u32");
  private static final AttributeTable FEATURES =
      table("FEATURES_", "HW:nest WANTED:nest ACTIVE:nest NOCHANGE:nest")
          .with("HW", Bitset.TABLE)
          .with("WANTED", Bitset.TABLE)
          .with("ACTIVE", Bitset.TABLE)
          .with("NOCHANGE", Bitset.TABLE);
  private static final AttributeTable PRIVATE_FLAGS =
      table("PRIVFLAGS_", "FLAGS:nest").with("FLAGS", Bitset.TABLE);

  private static final AttributeTable CHANNELS =
      table(
          "CHANNELS_",
          "RX_MAX:u32 TX_MAX:u32 OTHER_MAX:u32 COMBINED_MAX:u32 RX_COUNT:u32 TX_COUNT:u32 "
              + "OTHER_COUNT:u32 COMBINED_COUNT:u32");
  private static final List<String> USES_OF_CHANNELS = List.of("rx", "tx", "other", "combined");

  /** {@return a table that begins with ethtool's message header, which identifies the link} */
  private static AttributeTable table(String prefix, String behind) {
    return AttributeTable.of("ETHTOOL_A_" + prefix, "HEADER:nest " + behind)
        .with(
            "HEADER",
            AttributeTable.of(
                "ETHTOOL_A_HEADER_", "DEV_INDEX:u32 DEV_NAME:text FLAGS:u32 PHY_INDEX:u32"));
  }

  private final GenericNetlink netlink;
  private final GenericFamily family;

  private Ethtool(GenericNetlink netlink, GenericFamily family) {
    this.netlink = netlink;
    this.family = family;
  }

  /**
   * {@return a new instance with a socket that stays in the calling thread's network namespace}
   *
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} before 5.6
   */
  public static Ethtool open() throws NetlinkException {
    return over(GenericNetlink.open());
  }

  /**
   * {@return a new instance with a socket that stays in a network namespace}
   *
   * @param namespace the namespace; may be closed afterwards
   * @throws IOException if the namespace cannot be entered, or as for {@link #open()}
   */
  public static Ethtool open(NetworkNamespace namespace) throws IOException {
    return over(GenericNetlink.open(namespace));
  }

  /**
   * {@return an instance that uses an open socket, or a recorded conversation}
   *
   * @param netlink a socket; closed with this object, and if it fails
   * @throws NetlinkException if the kernel does not have ethtool's family
   */
  public static Ethtool over(GenericNetlink netlink) throws NetlinkException {
    try {
      return new Ethtool(netlink, netlink.family("ethtool"));
    } catch (NetlinkException | RuntimeException | Error e) {
      netlink.close();
      throw e;
    }
  }

  private MessageWriter request(int command, AttributeTable table, String operation, LinkKey link) {
    MessageWriter request =
        netlink.request(family, command, table, operation + " of " + link.inWords());
    int header = request.open("HEADER");
    if (link.knownIndex().isPresent()) {
      request.put("DEV_INDEX", link.knownIndex().getAsInt());
    } else {
      request.put("DEV_NAME", link.knownName());
    }
    return request.close(header);
  }

  private Attributes ask(int command, AttributeTable table, String operation, LinkKey link)
      throws NetlinkException {
    return netlink.get(
        family, request(command, table, operation, link), message -> read(table, message));
  }

  private static Attributes read(AttributeTable table, Message message)
      throws NetlinkException.Malformed {
    return Attributes.read(table, message.attributes(GenericNetlink.HEADER));
  }

  /**
   * {@return offload features by name ({@code ethtool -k}, {@code ETHTOOL_MSG_FEATURES_GET})}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no such link
   */
  public Map<String, Feature> features(LinkKey link) throws NetlinkException {
    Attributes reported = ask(FEATURES_GET, FEATURES, "get features", link);
    Map<String, Boolean> wanted = Bitset.read(reported.nested("WANTED"));
    Map<String, Boolean> active = Bitset.read(reported.nested("ACTIVE"));
    Map<String, Boolean> fixed = Bitset.read(reported.nested("NOCHANGE"));
    Map<String, Feature> features = new TreeMap<>();
    Bitset.read(reported.nested("HW"))
        .forEach(
            (name, can) ->
                features.put(
                    name,
                    new Feature(
                        name,
                        active.containsKey(name),
                        wanted.containsKey(name),
                        can && !fixed.containsKey(name))));
    return features;
  }

  /**
   * Switches features of a link ({@code ethtool -K}, {@code ETHTOOL_MSG_FEATURES_SET}). The kernel
   * applies the features that it can switch, and reports the others.
   *
   * @param link the link, its name or its index
   * @param requested whether each is wanted, by the kernel's name; see {@link FeatureAliases}
   * @return the outcome for each
   * @throws NetlinkException if the kernel refuses, for example because it has no such feature, or
   *     the conversation fails; {@link NetlinkException.NotFound} if there is no such link
   */
  public FeatureChange setFeatures(LinkKey link, Map<String, Boolean> requested)
      throws NetlinkException {
    MessageWriter request = request(FEATURES_SET, FEATURES, "set features " + requested, link);
    Bitset.write(request, "WANTED", new TreeMap<>(requested));
    Map<String, Boolean> refused = new TreeMap<>();
    Map<String, Boolean> changed = new TreeMap<>();
    netlink.execute(
        request,
        message -> {
          Attributes reported = read(FEATURES, message);
          refused.putAll(Bitset.read(reported.nested("WANTED")));
          changed.putAll(Bitset.read(reported.nested("ACTIVE")));
        });
    return new FeatureChange(refused, changed);
  }

  /**
   * {@return whether each private flag of a link's driver is set, by name ({@code ethtool
   * --show-priv-flags}, {@code ETHTOOL_MSG_PRIVFLAGS_GET})}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     driver has none; {@link NetlinkException.NotFound} if there is no such link
   */
  public Map<String, Boolean> privateFlags(LinkKey link) throws NetlinkException {
    return Bitset.read(
        ask(PRIVFLAGS_GET, PRIVATE_FLAGS, "get private flags", link).nested("FLAGS"));
  }

  /**
   * Sets private flags of a link's driver ({@code ethtool --set-priv-flags}, {@code
   * ETHTOOL_MSG_PRIVFLAGS_SET}).
   *
   * @param link the link, its name or its index
   * @param flags whether to set each flag, by name; other flags stay unchanged
   * @throws NetlinkException if the kernel refuses, or the conversation fails; {@link
   *     NetlinkException.NotFound} if there is no such link
   */
  public void setPrivateFlags(LinkKey link, Map<String, Boolean> flags) throws NetlinkException {
    MessageWriter request =
        request(PRIVFLAGS_SET, PRIVATE_FLAGS, "set private flags " + flags, link);
    Bitset.write(request, "FLAGS", new TreeMap<>(flags));
    netlink.execute(request, message -> {});
  }

  /**
   * {@return the numbers of channels (queues with an interrupt) of a link, for the types that it
   * can have: {@code rx}, {@code tx}, {@code other} and {@code combined} ({@code ethtool -l},
   * {@code ETHTOOL_MSG_CHANNELS_GET})}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     link does not report it; {@link NetlinkException.NotFound} if there is no such link
   */
  public Map<String, Integer> channels(LinkKey link) throws NetlinkException {
    Attributes reported = ask(CHANNELS_GET, CHANNELS, "get channels", link);
    Map<String, Integer> channels = new TreeMap<>();
    for (String use : USES_OF_CHANNELS) {
      String attribute = use.toUpperCase(Locale.ROOT);
      if (reported.number(attribute + "_MAX").orElse(0) != 0) {
        channels.put(use, reported.number(attribute + "_COUNT").orElse(0));
      }
    }
    return channels;
  }

  /**
   * Sets the number of channels of a link ({@code ethtool -L}, {@code ETHTOOL_MSG_CHANNELS_SET}).
   *
   * @param link the link, its name or its index
   * @param channels the numbers, as {@link #channels} returns them; other types stay unchanged
   * @throws NetlinkException if the kernel refuses, for example because the link cannot have as
   *     many, or the conversation fails; {@link NetlinkException.NotFound} if there is no such link
   * @throws IllegalArgumentException if a number is negative, or a type is unknown
   */
  public void setChannels(LinkKey link, Map<String, Integer> channels) throws NetlinkException {
    MessageWriter request = request(CHANNELS_SET, CHANNELS, "set channels " + channels, link);
    new TreeMap<>(channels)
        .forEach(
            (use, number) -> {
              if (!USES_OF_CHANNELS.contains(use) || number < 0) {
                throw new IllegalArgumentException("channels " + use + " " + number);
              }
              request.put(use.toUpperCase(Locale.ROOT) + "_COUNT", number);
            });
    netlink.execute(request, message -> {});
  }

  /**
   * {@return the link mode negotiated with the other end: speed, duplex, lanes and modes ({@code
   * ethtool}, {@code ETHTOOL_MSG_LINKMODES_GET})}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     link has no modes; {@link NetlinkException.NotFound} if there is no such link
   */
  public LinkMode mode(LinkKey link) throws NetlinkException {
    Attributes reported = ask(LINKMODES_GET, LINKMODES, "get link modes", link);
    List<String> supported = new ArrayList<>();
    List<String> advertised = new ArrayList<>();
    Map<String, Boolean> abilities = new TreeMap<>();
    // All listed bits are supported; the set bits are advertised.
    for (Map.Entry<String, Boolean> mode : Bitset.read(reported.nested("OURS")).entrySet()) {
      if (!isMode(mode.getKey())) {
        abilities.put(mode.getKey(), mode.getValue());
      } else {
        supported.add(mode.getKey());
        if (mode.getValue()) {
          advertised.add(mode.getKey());
        }
      }
    }
    return new LinkMode(
        positive(reported.number("SPEED")),
        switch (reported.number("DUPLEX").orElse(UNKNOWN_DUPLEX)) {
          case 0 -> LinkMode.Duplex.HALF;
          case 1 -> LinkMode.Duplex.FULL;
          default -> LinkMode.Duplex.UNKNOWN;
        },
        reported.number("AUTONEG").orElse(0) != 0,
        positive(reported.number("LANES")),
        supported,
        advertised,
        abilities);
  }

  private static OptionalInt positive(OptionalInt number) {
    return number.orElse(0) > 0 ? number : OptionalInt.empty();
  }

  /** {@return whether a name has speed, medium and duplex as all modes have: 100baseT/Half} */
  private static boolean isMode(String name) {
    return name.contains("base");
  }

  /**
   * Returns the connector type of a link ({@code ETHTOOL_A_LINKINFO_PORT}).
   *
   * @param link the link, its name or its index
   * @return {@code PORT_...} of {@code linux/ethtool.h}: 0 twisted pair, 3 fibre, 5 direct attach
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     link does not report it; {@link NetlinkException.NotFound} if there is no such link
   */
  public int port(LinkKey link) throws NetlinkException {
    return number(LINKINFO_GET, LINKINFO, "PORT", "get link information", link);
  }

  /**
   * {@return whether a link is connected to the other end ({@code ETHTOOL_A_LINKSTATE_LINK})}
   *
   * @param link the link, its name or its index
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     link does not report it; {@link NetlinkException.NotFound} if there is no such link
   */
  public boolean hasLink(LinkKey link) throws NetlinkException {
    return number(LINKSTATE_GET, LINKSTATE, "LINK", "get link state", link) != 0;
  }

  /** {@return a number of the reply, which a link without the attribute does not report} */
  private int number(
      int command, AttributeTable table, String attribute, String operation, LinkKey link)
      throws NetlinkException {
    return netlink.get(
        family,
        request(command, table, operation, link),
        message -> {
          Attributes reported = read(table, message);
          return reported.has(attribute) ? reported.number(attribute).getAsInt() : null;
        });
  }

  /**
   * {@return a link's driver (ioctl {@code ETHTOOL_GDRVINFO}), in the calling thread's namespace}
   *
   * @param link the link, its index or a name of at most 15 bytes of UTF-8
   * @throws LinuxException if there is no such link: ENODEV; or it has no driver: EOPNOTSUPP
   * @throws IllegalArgumentException if the key has only a name, and the name is longer
   */
  public static DriverInformation driver(LinkKey link) throws LinuxException {
    return DriverRequest.ask(NativeAccess.system(), link);
  }

  /**
   * {@return a link's driver (ioctl {@code ETHTOOL_GDRVINFO}), in a network namespace}
   *
   * @param namespace the namespace
   * @param link the link, its index there or a name of at most 15 bytes of UTF-8
   * @throws LinuxException if there is no such link: ENODEV; or it has no driver: EOPNOTSUPP
   * @throws IOException if the namespace cannot be entered
   * @throws IllegalArgumentException if the key has only a name, and the name is longer
   */
  public static DriverInformation driver(NetworkNamespace namespace, LinkKey link)
      throws IOException {
    return namespace.call(() -> DriverRequest.ask(namespace.access(), link));
  }

  /**
   * Returns the socket that this object uses, for functions that all families share: warnings of
   * the kernel, recordings, and messages of your own.
   *
   * @return the socket, which is closed with this object
   */
  public NetlinkSocket socket() {
    return netlink.socket();
  }

  /** Closes the socket. */
  @Override
  public void close() {
    netlink.close();
  }
}
