package io.dra4j.placement.cloud;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Chooses the environment variables that NCCL needs to use the NICs of a pod, by the machine type
 * of its node.
 *
 * <p>Sources: the pages of Google Cloud on GPUDirect-TCPX and GPUDirect RDMA for A3 and A4; Azure's
 * images for high-performance computing, whose {@code /etc/nccl.conf} names the topology file of
 * the machine; Oracle's published results of MLPerf Training 5.0 for {@code NCCL_IB_GID_INDEX},
 * {@code NCCL_IB_TC} and {@code NCCL_IB_SL}; NCCL's documentation of {@code NCCL_IB_HCA}, where
 * {@code =} in front means exact names.
 */
public final class NcclEnvironment {

  private NcclEnvironment() {}

  /**
   * {@return the variables by name, in the order for writing them}
   *
   * @param machineType the machine type of the nodes: the value of their label {@code
   *     node.kubernetes.io/instance-type}; empty if it is not known
   * @param rdmaDevices the RDMA devices of a pod, for example {@code mlx5_0}, if all pods of the
   *     job have the same ones; otherwise empty
   * @param areVirtual whether some of them are virtual functions. Their names in a pod or a virtual
   *     machine differ from their names on the host, so that the variable then matches the
   *     beginning of the names
   */
  public static Map<String, String> of(
      String machineType, Collection<String> rdmaDevices, boolean areVirtual) {
    Objects.requireNonNull(machineType, "machineType");
    Objects.requireNonNull(rdmaDevices, "rdmaDevices");
    Map<String, String> variables = new LinkedHashMap<>();
    Optional<NetworkTier> tier = CloudMachines.find(machineType).map(CloudMachine::tier);
    if (tier.isPresent() && tier.get() == NetworkTier.TCPX) {
      addTcpx(variables);
      return variables;
    }
    String type = machineType.toLowerCase(Locale.ROOT);
    if (tier.isPresent() && tier.get() == NetworkTier.RDMA) {
      variables.put("NCCL_NET", "gIB"); // the plugin of Google Cloud
    } else if (type.startsWith("standard_nd")) {
      variables.put("NCCL_IB_PCI_RELAXED_ORDERING", "1");
      topologyFileOfAzure(type).ifPresent(file -> variables.put("NCCL_TOPO_FILE", file));
    } else if (type.startsWith("bm.gpu")) {
      variables.put("NCCL_IB_GID_INDEX", "3");
      variables.put("NCCL_IB_TC", "41");
      variables.put("NCCL_IB_SL", "0");
    }
    hca(rdmaDevices, areVirtual).ifPresent(value -> variables.put("NCCL_IB_HCA", value));
    return variables;
  }

  private static Optional<String> hca(Collection<String> devices, boolean areVirtual) {
    if (devices.isEmpty()) {
      return Optional.empty();
    } else if (!areVirtual) {
      return Optional.of("=" + String.join(",", devices));
    }
    TreeSet<String> beginnings = new TreeSet<>();
    devices.forEach(name -> beginnings.add(name.replaceFirst("_?[0-9]+$", "")));
    return Optional.of(String.join(",", beginnings));
  }

  private static Optional<String> topologyFileOfAzure(String type) {
    if (type.endsWith("_v5")) {
      return Optional.of("/opt/microsoft/ndv5-topo.xml");
    }
    return type.endsWith("_v4") ? Optional.of("/opt/microsoft/ndv4-topo.xml") : Optional.empty();
  }

  private static void addTcpx(Map<String, String> variables) {
    variables.put("NCCL_SOCKET_IFNAME", "eth0");
    variables.put("NCCL_CROSS_NIC", "0");
    variables.put("NCCL_NET_GDR_LEVEL", "PIX");
    variables.put("NCCL_P2P_PXN_LEVEL", "0");
    variables.put("NCCL_GPUDIRECTTCPX_CTRL_DEV", "eth0");
    variables.put("NCCL_GPUDIRECTTCPX_SOCKET_IFNAME", "eth1,eth2,eth3,eth4");
    variables.put("NCCL_GPUDIRECTTCPX_FORCE_ACK", "0");
  }
}
