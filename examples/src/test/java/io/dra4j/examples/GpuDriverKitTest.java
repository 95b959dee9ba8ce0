package io.dra4j.examples;

import io.dra4j.model.Device;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.testkit.SyntheticHost;
import io.dra4j.testkit.driver.DriverKit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class GpuDriverKitTest extends DriverKit {

  @TempDir Path root;

  @BeforeEach
  void layOut() throws IOException {
    SyntheticHost host = new SyntheticHost("gpus");
    host.numaNode(0, "0-7", 10);
    var bus = host.root("pci0000:10", 0);
    for (int i = 1; i <= 2; i++) {
      bus.function("0000:10:0" + i + ".0", 0x030000, 0x1002, 0x744c) // class, vendor, device
          .driver("amdgpu")
          .drm(i)
          .attribute("power/control", "auto");
    }
    host.build().expandTo(root);
  }

  @Override
  protected PreparingDriver newDriver() {
    return new GpuDriver(Host.captured(root));
  }

  @Override
  protected HostInventory host() {
    return TopologyReaders.installed().read(Host.captured(root));
  }

  @Override
  protected String parameters(Device device) {
    return "{\"keepAwake\": true}";
  }

  @Override
  protected boolean reboot() throws IOException {
    for (Path device : devices()) {
      Files.writeString(device.resolve("power/control"), "auto\n");
    }
    return true; // the kernel forgets what the driver changes
  }

  @Override
  protected Object hostState() throws IOException {
    Map<Path, String> controls = new TreeMap<>();
    for (Path device : devices()) {
      controls.put(device.getFileName(), Files.readString(device.resolve("power/control")).strip());
    }
    return controls;
  }

  private List<Path> devices() throws IOException {
    try (var devices = Files.list(root.resolve("sys/bus/pci/devices"))) {
      return devices.filter(one -> Files.exists(one.resolve("power/control"))).toList();
    }
  }
}
