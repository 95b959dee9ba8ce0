package io.dra4j.netlink.ethtool;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.MessageWriter;
import io.dra4j.netlink.NetlinkException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A set of named bits in its verbose form ({@code Documentation/networking/ethtool-netlink.rst}):
 * each bit with its name, so that nobody has to know the numbers of this kernel.
 */
final class Bitset {

  private static final int BITSET_NOMASK = 1;
  private static final int BITSET_BITS = 3;
  private static final int BITS_BIT = 1;
  private static final int BIT_NAME = 2;
  private static final int BIT_VALUE = 3;

  private Bitset() {}

  /** The bits by name. Without mask, bits that are listed are set and others are not listed. */
  static Map<String, Boolean> read(AttributeReader reader) throws NetlinkException.Malformed {
    Map<String, Boolean> bits = new LinkedHashMap<>();
    boolean list = false;
    reader.enter();
    while (reader.next()) {
      if (reader.type() == BITSET_NOMASK) {
        list = true;
      } else if (reader.type() == BITSET_BITS) {
        reader.enter();
        while (reader.next()) {
          if (reader.type() == BITS_BIT) {
            bit(reader, list, bits);
          }
        }
      }
    }
    return bits;
  }

  private static void bit(AttributeReader reader, boolean list, Map<String, Boolean> bits)
      throws NetlinkException.Malformed {
    String name = "";
    boolean set = list;
    reader.enter();
    while (reader.next()) {
      switch (reader.type()) {
        case BIT_NAME -> name = reader.string();
        case BIT_VALUE -> set = true;
        default -> {
          // the number of the bit
        }
      }
    }
    if (!name.isEmpty()) { // some bits have no name, and nobody can mean them
      bits.put(name, set);
    }
  }

  /** Bits to change; others stay as they are. */
  static void write(MessageWriter request, int attribute, Map<String, Boolean> bits) {
    int bitset = request.open(attribute);
    int list = request.open(BITSET_BITS);
    bits.forEach(
        (name, value) -> {
          int bit = request.open(BITS_BIT);
          request.putString(BIT_NAME, name);
          if (value) {
            request.putFlag(BIT_VALUE);
          }
          request.close(bit);
        });
    request.close(list).close(bitset);
  }
}
