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

class PartitionedGpuDriverKitTest extends DriverKit {

  @TempDir Path root;
  @TempDir Path profiles;

  @BeforeEach
  void layOut() throws IOException {
    GpuHost.layOut(root);
  }

  @Override
  protected PreparingDriver newDriver() {
    return new PartitionedGpuDriver(profiles);
  }

  @Override
  protected HostInventory host() {
    return TopologyReaders.installed().read(Host.captured(root));
  }

  @Override
  protected String parameters(Device device) {
    return "{\"profile\": \"training\"}";
  }

  @Override
  protected Object hostState() throws IOException {
    Map<Path, String> state = new TreeMap<>();
    try (var files = Files.list(profiles)) {
      for (Path file : files.toList()) {
        state.put(file.getFileName(), Files.readString(file));
      }
    }
    return state;
  }
}
