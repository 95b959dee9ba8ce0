package io.dra4j.examples;

import io.dra4j.model.Device;
import io.dra4j.model.StandardAttributes;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.FileSetting;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Step;
import io.dra4j.spi.configuration.JsonRecords;
import io.dra4j.spi.publish.AttributeBuilder;
import io.dra4j.topology.DeviceKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Offers PCI accelerators, and keeps a claimed one awake if its claim requests that. */
public final class GpuDriver implements PreparingDriver {

  /** The parameters of a claim: {@code {"keepAwake": true}}. */
  record Settings(@Nullable Boolean keepAwake) {}

  private static final int DRM_MAJOR = 226; // linux/Documentation/admin-guide/devices.txt

  private final Path root;

  /**
   * Creates a driver.
   *
   * @param host the host with the devices
   */
  public GpuDriver(Host host) {
    this.root = host.root();
  }

  @Override
  public String name() {
    return "gpu.example.com";
  }

  @Override
  public List<Device> discover(HostInventory host) {
    return host.pciFunctions().stream()
        .filter(one -> one.kind() == DeviceKind.GPU || one.kind() == DeviceKind.ACCELERATOR)
        .map(this::device)
        .toList();
  }

  private Device device(PciFunction function) {
    String address = function.address().toString();
    AttributeBuilder attributes =
        AttributeBuilder.forDriver(name())
            .whole("pciAddress", address)
            .whole(StandardAttributes.PCIE_ROOT, function.pcieRoot())
            .text("model", function.deviceName())
            .text("driver", function.driver())
            .joined("nodes", function.otherNames());
    function.location().numaNode().ifPresent(numa -> attributes.number("numaNode", numa));
    return attributes.build("gpu-" + address.replace(':', '-').replace('.', '-'));
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    List<PreparedDevice> prepared = new ArrayList<>();
    for (ClaimedDevice device : claim.devices()) {
      boolean keepAwake = false;
      for (OpaqueConfiguration one : device.configurations()) { // the claim's come last, and win
        Settings settings = JsonRecords.standard().read(one.parameters(), Settings.class);
        keepAwake = settings.keepAwake() == null ? keepAwake : settings.keepAwake();
      }
      if (keepAwake) {
        Path function = root.resolve("sys/bus/pci/devices/" + device.text("pciAddress"));
        FileSetting.change(function.resolve("power/control"), "on", journal);
      }
      prepared.add(PreparedDevice.of(device, ContainerEdits.ofNodes(nodes(device)), ""));
    }
    return new Prepared(prepared);
  }

  @Override
  public void undo(Step step) throws DriverException {
    FileSetting.restore(step);
  }

  @Override
  public void undoAfterReboot(Step step) {} // the kernel has forgotten the setting

  private static List<DeviceNode> nodes(ClaimedDevice device) {
    List<DeviceNode> nodes = new ArrayList<>();
    for (String name : device.text("nodes").split(",", -1)) { // card0, renderD128
      if (name.matches("(card|renderD)[0-9]+")) {
        long minor = Long.parseLong(name.replaceAll("[^0-9]", ""));
        nodes.add(new DeviceNode("/dev/dri/" + name, DeviceNode.Kind.CHARACTER, DRM_MAJOR, minor));
      }
    }
    return nodes;
  }
}
