package io.dra4j.examples;

import io.dra4j.model.Device;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.TopologyReaders;
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
    GpuHost.layOut(root);
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
