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
  protected Object hostState() throws IOException {
    Map<Path, String> controls = new TreeMap<>();
    try (var devices = Files.list(root.resolve("sys/bus/pci/devices"))) {
      for (Path device : devices.toList()) {
        Path control = device.resolve("power/control");
        if (Files.exists(control)) {
          controls.put(device.getFileName(), Files.readString(control).strip());
        }
      }
    }
    return controls;
  }
}
