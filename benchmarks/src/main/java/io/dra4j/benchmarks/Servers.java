package io.dra4j.benchmarks;

import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Clusters of any size, made in memory: servers with one slice each, of GPUs with 12 attributes and
 * a capacity, four below a PCIe root. Equal values are one object, as the manifest reader makes
 * them; the UUID of a GPU is its own.
 */
final class Servers {

  private static final String DRIVER = "gpu.example.com";
  private static final String CLASS = "gpu";
  private static final int GPUS_PER_ROOT = 4;
  private static final DeviceCapacity MEMORY = DeviceCapacity.of(Quantity.parse("80Gi"));

  private final int gpusPerServer;
  private final Map<Object, DeviceAttribute> values = new HashMap<>();
  private final List<String> gpuNames = new ArrayList<>();

  Servers(int gpusPerServer) {
    this.gpusPerServer = gpusPerServer;
    for (int i = 0; i < gpusPerServer; i++) {
      gpuNames.add("gpu-" + i);
    }
  }

  /** A cluster of so many servers, and a class that selects their GPUs. */
  ClusterSnapshot cluster(int servers) {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(
        DeviceClass.named(
            CLASS,
            "device.driver == \"gpu.example.com\""
                + " && device.attributes[\"gpu.example.com\"].type == \"gpu\""));
    for (int i = 0; i < servers; i++) {
      objects.add(Node.named(name(i)));
      objects.add(slice(i));
    }
    return ClusterSnapshot.of(objects);
  }

  /** The name of a server. */
  static String name(int server) {
    return "server-" + server;
  }

  private ResourceSlice slice(int server) {
    List<Device> gpus = new ArrayList<>();
    for (int i = 0; i < gpusPerServer; i++) {
      gpus.add(gpu(server, i));
    }
    return ResourceSlice.onNode(name(server) + "-gpus", DRIVER, name(server), gpus);
  }

  private Device gpu(int server, int number) {
    Map<String, DeviceAttribute> attributes = new LinkedHashMap<>();
    attributes.put("type", shared("gpu"));
    attributes.put("productName", shared("NVIDIA H100 80GB HBM3"));
    attributes.put("brand", shared("Nvidia"));
    attributes.put("architecture", shared("Hopper"));
    attributes.put("driverVersion", sharedVersion("570.86.15"));
    attributes.put("cudaDriverVersion", sharedVersion("12.8.0"));
    attributes.put("cudaComputeCapability", sharedVersion("9.0.0"));
    attributes.put("index", shared((long) number));
    attributes.put(StandardAttributes.PCIE_ROOT, shared("pci0000:" + number / GPUS_PER_ROOT));
    attributes.put(StandardAttributes.PCI_BUS_ID, shared("0000:%02x:00.0".formatted(number)));
    attributes.put("uuid", DeviceAttribute.of(uuid(server, number)));
    attributes.put("retiredPages", shared(0L));
    return Device.named(gpuNames.get(number))
        .attributes(attributes)
        .capacity("memory", MEMORY)
        .build();
  }

  private static String uuid(int server, int number) {
    return "GPU-%08x-0000-4000-8000-%012x".formatted(server, number);
  }

  private DeviceAttribute shared(String value) {
    return values.computeIfAbsent(value, any -> DeviceAttribute.of(value));
  }

  private DeviceAttribute shared(long value) {
    return values.computeIfAbsent(value, any -> DeviceAttribute.of(value));
  }

  private DeviceAttribute sharedVersion(String value) {
    return values.computeIfAbsent(value, any -> DeviceAttribute.version(value));
  }

  /** The slice after the driver counted retired pages of its first GPU, which claims look at. */
  static ResourceSlice withRetiredPages(ResourceSlice slice, long pages) {
    List<Device> gpus = new ArrayList<>(slice.devices());
    gpus.set(0, gpus.get(0).toBuilder().attribute("retiredPages", pages).build());
    return slice.withDevices(gpus);
  }

  /** A claim for four GPUs below one PCIe root, with selectors that read three values of each. */
  static ResourceClaim claim(String name) {
    return ResourceClaim.named(name)
        .request(
            "gpus",
            request ->
                request
                    .deviceClass(CLASS)
                    .selector("device.attributes[\"gpu.example.com\"].retiredPages < 1000000000")
                    .selector(
                        "device.capacity[\"gpu.example.com\"].memory"
                            + ".compareTo(quantity(\"40Gi\")) >= 0")
                    .count(GPUS_PER_ROOT))
        .constraint(DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT))
        .build();
  }
}
