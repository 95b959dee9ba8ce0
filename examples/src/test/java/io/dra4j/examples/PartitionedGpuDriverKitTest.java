package io.dra4j.examples;

import io.dra4j.model.Device;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Step;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.testkit.driver.DriverKit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  @Override
  protected List<PreparingDriver> otherReleases() {
    return List.of(new FirstRelease(new PartitionedGpuDriver(profiles), profiles));
  }

  // README: begin
  /** The first release, which stored only the name of the device. */
  private record FirstRelease(PartitionedGpuDriver now, Path directory) implements PreparingDriver {

    @Override
    public String name() {
      return now.name();
    }

    @Override
    public List<Device> discover(HostInventory host) {
      return now.discover(host);
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
      List<PreparedDevice> prepared = new ArrayList<>();
      for (ClaimedDevice device : claim.devices()) {
        journal.record(new Step("write profile of " + device.name(), device.name()));
        try {
          Files.writeString(directory.resolve(device.name()), "training");
        } catch (IOException e) {
          throw DriverException.failed("cannot write a profile: " + e, e);
        }
        prepared.add(PreparedDevice.of(device, ContainerEdits.NONE, ""));
      }
      return new Prepared(prepared);
    }

    @Override
    public void undo(Step step) throws DriverException {
      if (step.undo().contains(" ")) {
        throw DriverException.failed("a later release stored '" + step.undo() + "'", null);
      }
      now.undo(step);
    }
  }
  // README: end
}
