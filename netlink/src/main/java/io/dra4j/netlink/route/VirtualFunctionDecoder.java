package io.dra4j.netlink.route;

import static io.dra4j.netlink.route.LinkAttributes.*;

import io.dra4j.netlink.AttributeReader;
import io.dra4j.netlink.NetlinkException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** Makes virtual functions of {@code IFLA_VFINFO_LIST} ({@code struct ifla_vf_...}). */
final class VirtualFunctionDecoder {

  private static final int ETHERNET = 6;

  private static final VirtualFunction.LinkState[] STATES = VirtualFunction.LinkState.values();

  private int number;
  private byte[] address = new byte[0];
  private int vlan;
  private int vlanPriority;
  private int minRate;
  private int maxRate;
  private boolean spoofCheck;
  private boolean trusted;
  private int linkState;
  private OptionalLong nodeGuid = OptionalLong.empty();
  private OptionalLong portGuid = OptionalLong.empty();

  /** The kernel gives room for 32 bytes of address; how many count is what the link itself has. */
  List<VirtualFunction> decode(AttributeReader reader, int addressLength)
      throws NetlinkException.Malformed {
    int length = addressLength == 0 ? ETHERNET : addressLength;
    List<VirtualFunction> functions = new ArrayList<>();
    reader.enter();
    while (reader.next()) {
      if (reader.type() == IFLA_VF_INFO) {
        functions.add(function(reader, length));
      }
    }
    return functions;
  }

  private VirtualFunction function(AttributeReader reader, int length)
      throws NetlinkException.Malformed {
    clear();
    reader.enter();
    while (reader.next()) {
      attribute(reader, length);
    }
    return new VirtualFunction(
        number,
        HardwareAddress.of(address),
        vlan,
        vlanPriority,
        minRate,
        maxRate,
        spoofCheck,
        trusted,
        STATES[linkState >= 0 && linkState < STATES.length ? linkState : 0],
        nodeGuid,
        portGuid);
  }

  private void clear() {
    number = 0;
    address = new byte[0];
    vlan = 0;
    vlanPriority = 0;
    minRate = 0;
    maxRate = 0;
    spoofCheck = false;
    trusted = false;
    linkState = 0;
    nodeGuid = OptionalLong.empty();
    portGuid = OptionalLong.empty();
  }

  private void attribute(AttributeReader reader, int length) throws NetlinkException.Malformed {
    switch (reader.type()) {
      case IFLA_VF_MAC -> {
        number = reader.u32(0);
        reader.u8(4 + length - 1);
        address = Arrays.copyOfRange(reader.bytes(), 4, 4 + length);
      }
      case IFLA_VF_VLAN -> {
        vlan = reader.u32(4);
        vlanPriority = reader.u32(8);
      }
      case IFLA_VF_RATE -> {
        minRate = reader.u32(4);
        maxRate = reader.u32(8);
      }
      case IFLA_VF_SPOOFCHK -> spoofCheck = reader.u32(4) == 1; // all ones: not known
      case IFLA_VF_TRUST -> trusted = reader.u32(4) == 1;
      case IFLA_VF_LINK_STATE -> linkState = reader.u32(4);
      case IFLA_VF_IB_NODE_GUID -> nodeGuid = OptionalLong.of(reader.u64(8));
      case IFLA_VF_IB_PORT_GUID -> portGuid = OptionalLong.of(reader.u64(8));
      default -> {
        // counters, and what newer kernels add
      }
    }
  }
}
