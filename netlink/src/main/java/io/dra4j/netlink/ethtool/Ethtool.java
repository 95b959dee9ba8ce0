package io.dra4j.netlink.ethtool;

import io.dra4j.linux.LinuxException;
import io.dra4j.linux.NativeAccess;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.generic.GenericFamily;
import io.dra4j.netlink.generic.GenericNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets what network hardware does, in one network namespace. Links are told by index.
 * Thread-safe.
 */
public final class Ethtool implements AutoCloseable {

  private static final int LINKINFO_GET = 2;
  private static final int LINKMODES_GET = 4;
  private static final int LINKSTATE_GET = 6;
  private static final int FEATURES_GET = 11;
  private static final int FEATURES_SET = 12;
  private static final int PRIVFLAGS_GET = 13;
  private static final int PRIVFLAGS_SET = 14;

  private static final int HEADER = 1;
  private static final int HEADER_DEV_INDEX = 1;

  private static final AttributeTable HEADER_NAMES =
      AttributeTable.of("ETHTOOL_A_HEADER_", "DEV_INDEX DEV_NAME FLAGS");
  private static final AttributeTable BIT =
      AttributeTable.of("ETHTOOL_A_BITSET_BIT_", "INDEX NAME VALUE");
  private static final AttributeTable BITSET =
      AttributeTable.of("ETHTOOL_A_BITSET_", "NOMASK SIZE BITS VALUE MASK")
          .with("BITS", AttributeTable.of("ETHTOOL_A_BITSET_BITS_", "BIT").with("BIT", BIT));
  private static final AttributeTable LINK =
      AttributeTable.of("ETHTOOL_A_", "HEADER").with("HEADER", HEADER_NAMES);
  private static final AttributeTable FEATURES =
      AttributeTable.of("ETHTOOL_A_FEATURES_", "HEADER HW WANTED ACTIVE NOCHANGE")
          .with("HEADER", HEADER_NAMES)
          .with("WANTED", BITSET);
  private static final AttributeTable PRIVATE_FLAGS =
      AttributeTable.of("ETHTOOL_A_PRIVFLAGS_", "HEADER FLAGS")
          .with("HEADER", HEADER_NAMES)
          .with("FLAGS", BITSET);

  private final GenericNetlink netlink;
  private final GenericFamily family;

  private Ethtool(GenericNetlink netlink, GenericFamily family) {
    this.netlink = netlink;
    this.family = family;
  }

  /**
   * Opens a socket in the network namespace of the calling thread.
   *
   * @return stays in that namespace
   * @throws NetlinkException if the kernel refuses; {@link NetlinkException.NotFound} if it is
   *     older than 5.6
   */
  public static Ethtool open() throws NetlinkException {
    return over(GenericNetlink.open());
  }

  /**
   * Opens a socket in a network namespace.
   *
   * @param namespace the namespace; may be closed afterwards
   * @return stays in that namespace
   * @throws IOException if the namespace cannot be entered, or as for {@link #open()}
   */
  public static Ethtool open(NetworkNamespace namespace) throws IOException {
    return over(GenericNetlink.open(namespace));
  }

  /**
   * Uses a socket that is open, or a recorded conversation.
   *
   * @param netlink a socket; closed with this object, and if it fails
   * @return uses the socket
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

  private MessageWriter request(int command, AttributeTable names, String operation, int index) {
    MessageWriter request =
        netlink.request(family, command, names, operation + " of link " + index);
    int header = request.open(HEADER);
    return request.putU32(HEADER_DEV_INDEX, index).close(header);
  }

  /**
   * What a link can do for the kernel.
   *
   * @param index the index of the link
   * @return the features by name
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public Map<String, Feature> features(int index) throws NetlinkException {
    MessageWriter request = request(FEATURES_GET, FEATURES, "get features", index);
    return netlink.get(
        family,
        request,
        message -> {
          Map<String, Boolean> hardware = Map.of();
          Map<String, Boolean> wanted = Map.of();
          Map<String, Boolean> active = Map.of();
          Map<String, Boolean> fixed = Map.of();
          AttributeReader reader = message.attributes(GenericNetlink.HEADER);
          while (reader.next()) {
            switch (reader.type()) {
              case 2 -> hardware = Bitset.read(reader);
              case 3 -> wanted = Bitset.read(reader);
              case 4 -> active = Bitset.read(reader);
              case 5 -> fixed = Bitset.read(reader);
              default -> {
                // which link it is
              }
            }
          }
          Map<String, Feature> features = new TreeMap<>();
          for (Map.Entry<String, Boolean> one : hardware.entrySet()) {
            String name = one.getKey();
            boolean changeable = one.getValue() && !fixed.containsKey(name);
            features.put(
                name,
                new Feature(name, active.containsKey(name), wanted.containsKey(name), changeable));
          }
          return features;
        });
  }

  /**
   * Switches features. The kernel does what it can and tells the rest.
   *
   * @param index the index of the link
   * @param wanted whether each is wanted, by the kernel's name; see {@link FeatureAliases}
   * @return what became of them
   * @throws NetlinkException if the kernel refuses, for example because it has no such feature, or
   *     the conversation fails
   */
  public FeatureChange setFeatures(int index, Map<String, Boolean> wanted) throws NetlinkException {
    MessageWriter request = request(FEATURES_SET, FEATURES, "set features " + wanted, index);
    Bitset.write(request, 3, new TreeMap<>(wanted));
    Map<String, Boolean> refused = new TreeMap<>();
    Map<String, Boolean> changed = new TreeMap<>();
    netlink.execute(
        request,
        message -> {
          AttributeReader reader = message.attributes(GenericNetlink.HEADER);
          while (reader.next()) {
            switch (reader.type()) {
              case 3 -> refused.putAll(Bitset.read(reader));
              case 4 -> changed.putAll(Bitset.read(reader));
              default -> {
                // which link it is
              }
            }
          }
        });
    return new FeatureChange(refused, changed);
  }

  /**
   * The flags that a driver has of its own.
   *
   * @param index the index of the link
   * @return whether each is set, by name
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     driver has none
   */
  public Map<String, Boolean> privateFlags(int index) throws NetlinkException {
    MessageWriter request = request(PRIVFLAGS_GET, PRIVATE_FLAGS, "get private flags", index);
    return netlink.get(
        family,
        request,
        message -> {
          Map<String, Boolean> flags = Map.of();
          AttributeReader reader = message.attributes(GenericNetlink.HEADER);
          while (reader.next()) {
            if (reader.type() == 2) {
              flags = Bitset.read(reader);
            }
          }
          return flags;
        });
  }

  /**
   * Sets flags that a driver has of its own.
   *
   * @param index the index of the link
   * @param flags whether each is to be set, by name; others stay as they are
   * @throws NetlinkException if the kernel refuses, or the conversation fails
   */
  public void setPrivateFlags(int index, Map<String, Boolean> flags) throws NetlinkException {
    MessageWriter request =
        request(PRIVFLAGS_SET, PRIVATE_FLAGS, "set private flags " + flags, index);
    Bitset.write(request, 2, new TreeMap<>(flags));
    netlink.execute(request, message -> {});
  }

  /**
   * What a link has agreed on with the other end.
   *
   * @param index the index of the link
   * @return the modes
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     link has no modes
   */
  public LinkMode mode(int index) throws NetlinkException {
    return netlink.get(
        family,
        request(LINKMODES_GET, LINK, "get link modes", index),
        message -> {
          int speed = -1;
          int duplex = 255;
          boolean autonegotiation = false;
          int lanes = 0;
          Map<String, Boolean> ours = Map.of();
          AttributeReader reader = message.attributes(GenericNetlink.HEADER);
          while (reader.next()) {
            switch (reader.type()) {
              case 2 -> autonegotiation = reader.u8() != 0;
              case 3 -> ours = Bitset.read(reader); // listed: supported; set: advertised
              case 5 -> speed = reader.u32();
              case 6 -> duplex = reader.u8();
              case 9 -> lanes = reader.u32();
              default -> {
                // the other end, roles
              }
            }
          }
          List<String> supported = new ArrayList<>();
          List<String> advertised = new ArrayList<>();
          Map<String, Boolean> abilities = new TreeMap<>();
          ours.forEach(
              (name, set) -> {
                if (!isMode(name)) {
                  abilities.put(name, set);
                  return;
                }
                supported.add(name);
                if (set) {
                  advertised.add(name);
                }
              });
          return new LinkMode(
              speed > 0 ? OptionalInt.of(speed) : OptionalInt.empty(),
              switch (duplex) {
                case 0 -> LinkMode.Duplex.HALF;
                case 1 -> LinkMode.Duplex.FULL;
                default -> LinkMode.Duplex.UNKNOWN;
              },
              autonegotiation,
              lanes > 0 ? OptionalInt.of(lanes) : OptionalInt.empty(),
              supported,
              advertised,
              abilities);
        });
  }

  /** Speed, medium and duplex, as in 100baseT/Half: all modes of the kernel are named so. */
  private static boolean isMode(String name) {
    return name.contains("base");
  }

  /**
   * The kind of plug.
   *
   * @param index the index of the link
   * @return {@code PORT_...} of {@code linux/ethtool.h}: 0 twisted pair, 3 fibre, 5 direct attached
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     link does not tell
   */
  public int port(int index) throws NetlinkException {
    return number(LINKINFO_GET, 2, "get link information", index);
  }

  /**
   * Whether there is a link to the other end.
   *
   * @param index the index of the link
   * @return whether there is
   * @throws NetlinkException if the conversation fails; {@link NetlinkException.Unsupported} if the
   *     link does not tell
   */
  public boolean hasLink(int index) throws NetlinkException {
    return number(LINKSTATE_GET, 2, "get link state", index) != 0;
  }

  private int number(int command, int attribute, String operation, int index)
      throws NetlinkException {
    return netlink.get(
        family,
        request(command, LINK, operation, index),
        message -> {
          @Nullable Integer value = null;
          AttributeReader reader = message.attributes(GenericNetlink.HEADER);
          while (reader.next()) {
            if (reader.type() == attribute) {
              value = reader.u8();
            }
          }
          return value;
        });
  }

  /**
   * Asks the driver of a link about itself (ioctl {@code ETHTOOL_GDRVINFO}), in the network
   * namespace of the calling thread.
   *
   * @param name the name of the link, at most 15 bytes of UTF-8
   * @return the driver
   * @throws LinuxException if there is no such link, or it has no driver: EOPNOTSUPP
   * @throws IllegalArgumentException if it cannot be a name of a link
   */
  public static DriverInformation driver(String name) throws LinuxException {
    return DriverRequest.ask(NativeAccess.system(), name);
  }

  /**
   * Asks the driver of a link about itself (ioctl {@code ETHTOOL_GDRVINFO}), in a network
   * namespace.
   *
   * @param namespace the namespace
   * @param name the name of the link, at most 15 bytes of UTF-8
   * @return the driver
   * @throws IOException if the namespace cannot be entered, there is no such link, or it has no
   *     driver: EOPNOTSUPP
   * @throws IllegalArgumentException if it cannot be a name of a link
   */
  public static DriverInformation driver(NetworkNamespace namespace, String name)
      throws IOException {
    return namespace.call(() -> DriverRequest.ask(namespace.access(), name));
  }

  /**
   * Returns the socket that all of this goes through, for what is the same in every family:
   * warnings of the kernel, recordings, messages of one's own.
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
