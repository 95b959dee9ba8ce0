package io.dra4j.netlink.ethtool;

import io.dra4j.netlink.AttributeTable;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.MessageWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A set of named bits in its verbose form ({@code Documentation/networking/ethtool-netlink.rst}):
 * each bit with its name, so that the bit numbers of the kernel do not matter.
 */
final class Bitset {

  static final AttributeTable TABLE =
      AttributeTable.of("ETHTOOL_A_BITSET_", "NOMASK SIZE:u32 BITS:nest VALUE MASK")
          .with(
              "BITS",
              AttributeTable.of("ETHTOOL_A_BITSET_BITS_", "BIT:nest")
                  .with(
                      "BIT",
                      AttributeTable.of("ETHTOOL_A_BITSET_BIT_", "INDEX:u32 NAME:text VALUE")));

  private Bitset() {}

  /** Reads the bits by name. Without mask, only set bits are listed. */
  static Map<String, Boolean> read(Attributes bitset) {
    Map<String, Boolean> bits = new LinkedHashMap<>();
    boolean list = bitset.has("NOMASK");
    for (Attributes bit : bitset.nested("BITS").each("BIT")) {
      String name = bit.text("NAME");
      if (!name.isEmpty()) { // bits without a name cannot be requested
        bits.put(name, list || bit.has("VALUE"));
      }
    }
    return bits;
  }

  /** Writes bits to change; other bits stay unchanged. */
  static void write(MessageWriter request, String attribute, Map<String, Boolean> bits) {
    int bitset = request.open(attribute);
    int list = request.open("BITS");
    bits.forEach(
        (name, value) -> {
          int bit = request.open("BIT");
          request.put("NAME", name);
          if (value) {
            request.put("VALUE", new byte[0]);
          }
          request.close(bit);
        });
    request.close(list).close(bitset);
  }
}
