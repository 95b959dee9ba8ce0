package io.dra4j.topology;

import static io.dra4j.topology.PublishedPlace.attribute;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a published device is: by the name of its driver, then by its driver's own attributes.
 * Drivers also copy attributes of others to be matched with them, as dra.cpu does with {@code
 * dra.net/numaNode}; those say where a device is, not what.
 */
final class PublishedKind {

  private static final Splitter SEPARATORS = Splitter.on(CharMatcher.anyOf(".-_ "));

  /** How {@code dra4j discover} says what a device is. */
  private static final String KIND = "host.dra4j.io/kind";

  /** Only drivers of network devices have these, whatever they are called. */
  private static final List<String> NETWORK =
      List.of(
          "ifName",
          "interfaceName",
          "rdmaDevice",
          "PFName",
          "dra.net/ifName",
          "dra.net/rdmaDevice",
          "dra.net/rdma");

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

  private PublishedKind() {}

  private static void words(DeviceKind kind, String... words) {
    for (String word : words) {
      WORDS.put(word, kind);
    }
  }

  /** The kind; {@link DeviceKind#UNKNOWN} if neither driver nor attributes say it. */
  static DeviceKind of(String driver, Device device) {
    if (attribute(driver, device, KIND) instanceof DeviceAttribute.StringValue kind) {
      return DeviceKind.byName(kind.value()).orElse(DeviceKind.UNKNOWN);
    }
    int dot = driver.indexOf('.');
    String label = dot < 0 ? driver : driver.substring(0, dot);
    DeviceKind kind = DRIVERS.get(driver);
    kind = kind == null ? byWord(label) : kind;
    if (kind == null
        && attribute(driver, device, "type") instanceof DeviceAttribute.StringValue type) {
      kind = byWord(type.value().toLowerCase(Locale.ROOT));
    }
    if (kind == null) {
      kind = byWord(driver);
    }
    if (kind == null
        && NETWORK.stream().anyMatch(name -> attribute(driver, device, name) != null)) {
      kind = DeviceKind.NIC;
    }
    return kind == null ? DeviceKind.UNKNOWN : kind;
  }

  /** The first word that says something. */
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
