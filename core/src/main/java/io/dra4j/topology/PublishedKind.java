package io.dra4j.topology;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.QualifiedName;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of the published devices of one driver, by the name of the driver, then by its own
 * attributes. Drivers also copy attributes of other drivers for constraints, like dra.cpu does with
 * {@code dra.net/numaNode}; these show the location of a device, not its kind.
 */
final class PublishedKind {

  private static final Splitter SEPARATORS = Splitter.on(CharMatcher.anyOf(".-_ "));

  /** The attribute with which {@code dra4j discover} publishes the kind of a device. */
  private static final QualifiedName KIND = QualifiedName.of("host.dra4j.io/kind");

  /** Attributes that only drivers of network devices have, whatever the name of the driver. */
  private static final List<QualifiedName> NETWORK =
      PlaceReader.names(List.of("dra.net/ifName", "dra.net/rdmaDevice", "dra.net/rdma"));

  private static final List<String> OWN_NETWORK =
      List.of("ifName", "interfaceName", "rdmaDevice", "PFName");

  private static final Map<String, DeviceKind> DRIVERS =
      Map.of(
          "dra.net", DeviceKind.NIC,
          "gaudi.intel.com", DeviceKind.ACCELERATOR,
          "qat.intel.com", DeviceKind.ACCELERATOR,
          "compute-domain.nvidia.com", DeviceKind.OTHER); // channels between nodes

  private static final Map<String, DeviceKind> WORDS = new HashMap<>();

  static {
    words(DeviceKind.GPU, "gpu", "gpus", "mig");
    words(DeviceKind.NIC, "dranet", "efa", "hca", "ib", "infiniband", "network", "networking");
    words(DeviceKind.NIC, "nic", "nics", "ovsdpdk", "rdma", "roce", "sriov", "sriovnetwork");
    words(DeviceKind.NIC, "sriovnic");
    words(DeviceKind.ACCELERATOR, "accelerator", "fpga", "npu", "neuron", "tpu");
    words(DeviceKind.CPU, "cpu", "cpus");
    words(DeviceKind.MEMORY, "memory", "hugepages");
    words(DeviceKind.NVME, "nvme");
    words(DeviceKind.DISK, "disk", "disks", "lvm", "ssd", "storage");
  }

  private final String driver;
  private final @Nullable DeviceKind byLabel;
  private final @Nullable DeviceKind byDriver;
  private final QualifiedName type;
  private final List<QualifiedName> ownNetwork;

  PublishedKind(String driver) {
    this.driver = driver;
    int dot = driver.indexOf('.');
    DeviceKind known = DRIVERS.get(driver);
    byLabel = known == null ? byWord(dot < 0 ? driver : driver.substring(0, dot)) : known;
    byDriver = byLabel == null ? byWord(driver) : byLabel;
    type = QualifiedName.of(driver, "type");
    ownNetwork = PlaceReader.names(driver, OWN_NETWORK);
  }

  private static void words(DeviceKind kind, String... words) {
    for (String word : words) {
      WORDS.put(word, kind);
    }
  }

  /** The kind; {@link DeviceKind#UNKNOWN} if neither the driver nor the attributes show it. */
  DeviceKind of(Device device) {
    Map<String, DeviceAttribute> attributes = device.attributes();
    if (KIND.in(driver, attributes) instanceof DeviceAttribute.StringValue kind) {
      return DeviceKind.byName(kind.value()).orElse(DeviceKind.UNKNOWN);
    }
    if (byLabel != null) {
      return byLabel;
    }
    DeviceKind kind =
        type.in(driver, attributes) instanceof DeviceAttribute.StringValue text
            ? byWord(text.value().toLowerCase(Locale.ROOT))
            : null;
    if (kind == null) {
      kind = byDriver;
    }
    if (kind != null) {
      return kind;
    }
    return hasOneOf(NETWORK, attributes) || hasOneOf(ownNetwork, attributes)
        ? DeviceKind.NIC
        : DeviceKind.UNKNOWN;
  }

  private boolean hasOneOf(List<QualifiedName> names, Map<String, DeviceAttribute> attributes) {
    for (QualifiedName name : names) {
      if (name.in(driver, attributes) != null) {
        return true;
      }
    }
    return false;
  }

  /** The kind of the first word that shows one. */
  private static @Nullable DeviceKind byWord(String name) {
    for (String word : SEPARATORS.split(name)) {
      DeviceKind kind = WORDS.get(word);
      if (kind != null) {
        return kind;
      }
    }
    return null;
  }
}
