package io.dra4j.netlink.state;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.NetlinkException;
import io.dra4j.netlink.route.LinkSettings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The settings of a link that one attribute holds ({@code linux/if_link.h}), and the flags of
 * {@code linux/if.h} that can be set: how each is read as text and written from it.
 */
enum Setting {
  ADDRESS("address", 1, Format.BYTES),
  BROADCAST("broadcast", 2, Format.BYTES),
  MTU("mtu", 4, Format.U32),
  TXQLEN("txqlen", 13, Format.U32),
  LINK_MODE("mode", 17, Format.U8),
  ALIAS("alias", 20, Format.TEXT),
  GROUP("group", 27, Format.U32),
  PROTO_DOWN("protodown", 39, Format.U8),
  GSO_MAX_SEGS("gso_max_segs", 40, Format.U32),
  GSO_MAX_SIZE("gso_max_size", 41, Format.U32),
  GRO_MAX_SIZE("gro_max_size", 58, Format.U32),
  GSO_IPV4_MAX_SIZE("gso_ipv4_max_size", 63, Format.U32),
  GRO_IPV4_MAX_SIZE("gro_ipv4_max_size", 64, Format.U32);

  /** What the value of an attribute is. */
  private enum Format {
    U8,
    U32,
    TEXT,
    BYTES
  }

  /** Flags by name; "up" is set last and taken away first. */
  static final Map<String, Integer> FLAGS =
      Map.of(
          "up",
          1,
          "debug",
          4,
          "noarp",
          0x80,
          "promisc",
          0x100,
          "allmulticast",
          0x200,
          "multicast",
          0x1000,
          "portsel",
          0x2000,
          "automedia",
          0x4000,
          "dynamic",
          0x8000);

  private static final Map<Integer, Setting> BY_TYPE =
      Arrays.stream(values()).collect(Collectors.toMap(one -> one.type, Function.identity()));
  private static final Map<String, Setting> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(one -> one.text, Function.identity()));

  private final String text;
  private final int type;
  private final Format format;

  Setting(String text, int type, Format format) {
    this.text = text;
    this.type = type;
    this.format = format;
  }

  /** Puts the value of an attribute into a map, if it is a setting. */
  static void read(AttributeReader reader, Map<String, String> values)
      throws NetlinkException.Malformed {
    Setting setting = BY_TYPE.get(reader.type());
    if (setting != null) {
      values.put(
          setting.text,
          switch (setting.format) {
            case U8 -> Integer.toString(reader.u8());
            case U32 -> Integer.toUnsignedString(reader.u32());
            case TEXT -> reader.string();
            case BYTES -> HexFormat.of().formatHex(reader.bytes());
          });
    }
  }

  static boolean isOne(String name) {
    return BY_NAME.containsKey(name);
  }

  /**
   * Settings with this one.
   *
   * @throws IllegalArgumentException if the value is none of it
   */
  static LinkSettings write(LinkSettings settings, String name, String value) {
    Setting setting = BY_NAME.get(name);
    if (setting == null) {
      throw new IllegalArgumentException("no setting of a link: " + name);
    }
    byte[] bytes =
        switch (setting.format) {
          case U8 -> new byte[] {(byte) Integer.parseInt(value)};
          case U32 ->
              ByteBuffer.allocate(4)
                  .order(ByteOrder.nativeOrder())
                  .putInt(Integer.parseUnsignedInt(value))
                  .array();
          case TEXT -> value.getBytes(StandardCharsets.UTF_8); // none, to take an alias away
          case BYTES -> HexFormat.of().parseHex(value);
        };
    return settings.attribute(setting.type, bytes);
  }
}
