package io.dra4j.cli.device;

import io.dra4j.spi.RdmaDevice;
import io.dra4j.spi.RdmaPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Explains why an RDMA device that exists does not work. */
final class RdmaRemarks {

  private static final Pattern ZERO = Pattern.compile("[0:]*0[0:]*");

  private RdmaRemarks() {}

  /** Returns a sentence for each problem. */
  static List<String> of(RdmaDevice device) {
    List<String> remarks = new ArrayList<>();
    if (ZERO.matcher(device.nodeGuid()).matches()) {
      remarks.add(
          "the node GUID is zero: connections through rdma_cm fail until one is set"
              + " (ip link set DEV vf N node_guid GUID, for a virtual function)");
    }
    for (RdmaPort port : device.ports()) {
      String why = why(port);
      if (!why.isEmpty()) {
        remarks.add("port " + port.number() + " is " + port.state() + ": " + why);
      }
    }
    return remarks;
  }

  private static String why(RdmaPort port) {
    boolean infiniBand = port.linkLayer().equalsIgnoreCase("InfiniBand");
    return switch (port.state().toUpperCase(Locale.ROOT)) {
      case "INIT" ->
          infiniBand
              ? "no subnet manager has activated the port"
              : "its network interface is not up";
      case "ARMED" -> infiniBand ? "the subnet manager has not finished with the port" : "";
      case "DOWN" ->
          switch (port.physicalState().toUpperCase(Locale.ROOT).replace("_", "")) {
            case "POLLING" -> "no link partner answers (cable, switch, or the other port)";
            case "DISABLED" -> "the port is disabled";
            default -> "";
          };
      default -> "";
    };
  }
}
