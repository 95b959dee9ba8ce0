package io.dra4j.netlink.state;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.route.LinkSettings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a link in one attribute each, by the kernel's names ({@code IFLA_...} of {@code
 * linux/if_link.h}), and the flags of {@code linux/if.h} that can be set, with their conversion to
 * and from text.
 */
enum Setting {
  ADDRESS("address", Format.BYTES),
  BROADCAST("broadcast", Format.BYTES),
  MTU("mtu", Format.U32),
  TXQLEN("txqlen", Format.U32),
  LINKMODE("mode", Format.U8),
  IFALIAS("alias", Format.TEXT),
  GROUP("group", Format.U32),
  PROTO_DOWN("protodown", Format.U8),
  PROTO_DOWN_REASON("protodown reasons", Format.REASONS),
  GSO_MAX_SEGS("gso_max_segs", Format.U32),
  GSO_MAX_SIZE("gso_max_size", Format.U32),
  GRO_MAX_SIZE("gro_max_size", Format.U32),
  GSO_IPV4_MAX_SIZE("gso_ipv4_max_size", Format.U32),
  GRO_IPV4_MAX_SIZE("gro_ipv4_max_size", Format.U32);

  /** The format of an attribute's value. */
  private enum Format {
    U8,
    U32,
    /** Bits, one for each reason, in a nest; left out if there is none. */
    REASONS,
    TEXT,
    BYTES
  }

  /** Flags by name; "up" is set last and removed first. */
  static final Map<String, Integer> FLAGS =
      Stream.of(
              "up 1 debug 4 notrailers 20 noarp 80 promisc 100 allmulticast 200 multicast 1000",
              "portsel 2000 automedia 4000 dynamic 8000")
          .flatMap(line -> Pattern.compile("(\\w+) (\\w+)").matcher(line).results())
          .collect(
              Collectors.toMap(one -> one.group(1), one -> Integer.parseInt(one.group(2), 16)));

  private static final int REASONS_VALUE = 2; // IFLA_PROTO_DOWN_REASON_VALUE
  private static final String NO_TEXT = "\uFFFD";
  private static final List<Setting> ALL = List.of(values());
  private static final Map<String, Setting> BY_NAME =
      ALL.stream().collect(Collectors.toMap(one -> one.text, Function.identity()));

  private final String text;
  private final Format format;

  Setting(String text, Format format) {
    this.text = text;
    this.format = format;
  }

  /** Puts the settings of a link into a map. */
  static void read(Attributes link, Map<String, String> values) {
    for (Setting setting : ALL) {
      String name = setting.name();
      if (link.has(name)) {
        String value =
            switch (setting.format) {
              case U8, U32 -> Integer.toUnsignedString(link.number(name).orElse(0));
              case REASONS -> Integer.toUnsignedString(link.nested(name).number("VALUE").orElse(0));
              case TEXT -> text(link.bytes(name).orElseThrow());
              case BYTES -> HexFormat.of().formatHex(link.bytes(name).orElseThrow());
            };
        values.put(setting.text, value);
      }
    }
  }

  /** Returns a value as text; bytes that are not UTF-8 as Latin 1 after a replacement character. */
  private static String text(byte[] value) {
    int end = 0;
    while (end < value.length && value[end] != 0) {
      end++;
    }
    byte[] bytes = Arrays.copyOf(value, end);
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean isText =
        !text.startsWith(NO_TEXT) && Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
    return isText ? text : NO_TEXT + new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String text) {
    return text.startsWith(NO_TEXT)
        ? text.substring(NO_TEXT.length()).getBytes(StandardCharsets.ISO_8859_1)
        : text.getBytes(StandardCharsets.UTF_8);
  }

  static boolean isOne(String name) {
    return BY_NAME.containsKey(name);
  }

  /** Returns whether a link may lack the setting; then it is set to the empty text. */
  static boolean mayLack(String name) {
    Setting setting = BY_NAME.get(name);
    return setting != null && (setting.format == Format.TEXT || setting.format == Format.REASONS);
  }

  /** Adds a setting; throws {@link IllegalArgumentException} if the value is invalid. */
  static LinkSettings write(LinkSettings settings, String name, String value) {
    Setting setting = BY_NAME.get(name);
    if (setting == null) {
      throw new IllegalArgumentException("not a setting of a link: " + name);
    }
    byte[] bytes =
        switch (setting.format) {
          case U8 -> new byte[] {(byte) Integer.parseInt(value)};
          case U32 -> number(value);
          case REASONS -> // without a mask all reasons are set
              Attributes.none(AttributeTable.NONE)
                  .with(REASONS_VALUE, number(value.isEmpty() ? "0" : value))
                  .toBytes();
          case TEXT -> bytes(value); // empty, to remove an alias
          case BYTES -> HexFormat.of().parseHex(value);
        };
    return settings.attribute(setting.name(), bytes);
  }

  private static byte[] number(String value) {
    return ByteBuffer.allocate(4)
        .order(ByteOrder.nativeOrder())
        .putInt(Integer.parseUnsignedInt(value))
        .array();
  }
}
