package io.dra4j.netlink.route;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.Attributes;
import io.dra4j.netlink.NetlinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * A virtual function as reported by its physical function ({@code IFLA_VF_INFO}); see {@link
 * Links#virtualFunctions}.
 *
 * <pre>{@code
 * for (VirtualFunction function : route.links().virtualFunctions(link.index())) {
 *   System.out.println(function.number() + " " + function.address());
 * }
 * }</pre>
 *
 * @param number its number, from 0
 * @param address the assigned hardware address ({@code IFLA_VF_MAC}); all zero if it may choose
 * @param vlan its VLAN ({@code IFLA_VF_VLAN}); 0 for none
 * @param vlanPriority the priority in that VLAN
 * @param minRate the guaranteed bandwidth, in Mbit/s ({@code IFLA_VF_RATE}); 0 for none
 * @param maxRate the maximum bandwidth, in Mbit/s; 0 for no limit
 * @param spoofCheck whether packets from other addresses are dropped ({@code IFLA_VF_SPOOFCHK})
 * @param trusted whether it may change settings that only trusted functions may change ({@code
 *     IFLA_VF_TRUST})
 * @param linkState whether its link follows the link of the physical function ({@code
 *     IFLA_VF_LINK_STATE})
 * @param nodeGuid the GUID of the InfiniBand node ({@code IFLA_VF_IB_NODE_GUID}), if it has one
 * @param portGuid the GUID of the InfiniBand port ({@code IFLA_VF_IB_PORT_GUID}), if it has one
 */
public record VirtualFunction(
    int number,
    HardwareAddress address,
    int vlan,
    int vlanPriority,
    int minRate,
    int maxRate,
    boolean spoofCheck,
    boolean trusted,
    LinkState linkState,
    OptionalLong nodeGuid,
    OptionalLong portGuid) {

  private static final int ETHERNET = 6;

  /**
   * Reads the list ({@code IFLA_VFINFO_LIST}, {@code struct ifla_vf_...}) at a reader's position.
   * The kernel has room for 32 bytes of address; the length of the link's own address is the number
   * of valid bytes.
   */
  static List<VirtualFunction> list(AttributeReader reader, int addressLength)
      throws NetlinkException.Malformed {
    List<VirtualFunction> functions = new ArrayList<>();
    reader.enter();
    while (reader.next()) {
      reader.enter();
      Attributes one = Attributes.read(LinkTables.VF, reader);
      functions.add(read(one, addressLength == 0 ? ETHERNET : addressLength));
    }
    return functions;
  }

  private static VirtualFunction read(Attributes from, int addressLength)
      throws NetlinkException.Malformed {
    byte[] address = from.bytes("MAC").orElse(new byte[4 + addressLength]);
    if (address.length < 4 + addressLength) {
      throw new NetlinkException.Malformed(
          "IFLA_VF_MAC has " + address.length + " bytes, expected " + (4 + addressLength));
    }
    int state = field(from, "LINK_STATE", 1);
    LinkState[] states = LinkState.values();
    return new VirtualFunction(
        ByteBuffer.wrap(address).order(ByteOrder.nativeOrder()).getInt(),
        from.has("MAC")
            ? HardwareAddress.of(Arrays.copyOfRange(address, 4, 4 + addressLength))
            : HardwareAddress.NONE,
        field(from, "VLAN", 1),
        field(from, "VLAN", 2),
        field(from, "RATE", 1),
        field(from, "RATE", 2),
        field(from, "SPOOFCHK", 1) == 1, // all ones: not known
        field(from, "TRUST", 1) == 1,
        states[state >= 0 && state < states.length ? state : 0],
        guid(from, "IB_NODE_GUID"),
        guid(from, "IB_PORT_GUID"));
  }

  /**
   * Returns a 32-bit field of a structure, after the number of the function; 0 if it is missing.
   */
  private static int field(Attributes from, String name, int place)
      throws NetlinkException.Malformed {
    if (!from.has(name)) {
      return 0;
    }
    byte[] structure = from.bytes(name).orElseThrow();
    if (structure.length < 4 * place + 4) {
      throw new NetlinkException.Malformed(
          "IFLA_VF_" + name + " has " + structure.length + " bytes");
    }
    return ByteBuffer.wrap(structure).order(ByteOrder.nativeOrder()).getInt(4 * place);
  }

  private static OptionalLong guid(Attributes from, String name) throws NetlinkException.Malformed {
    if (!from.has(name)) {
      return OptionalLong.empty();
    }
    field(from, name, 3);
    byte[] structure = from.bytes(name).orElseThrow();
    return OptionalLong.of(ByteBuffer.wrap(structure).order(ByteOrder.nativeOrder()).getLong(8));
  }

  /** How the link of a virtual function behaves; in the kernel's order. */
  public enum LinkState {
    /** {@code IFLA_VF_LINK_STATE_AUTO}: it follows the physical function. */
    AUTO,
    /** {@code IFLA_VF_LINK_STATE_ENABLE}: it is always up. */
    ENABLE,
    /** {@code IFLA_VF_LINK_STATE_DISABLE}: it is always down. */
    DISABLE
  }
}
