package io.dra4j.runtime;

import io.dra4j.model.Device;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparingDriver;
import java.nio.file.Path;
import java.util.List;

/** Runtimes of drivers with a bug. */
final class DriverRuntimes {

  private DriverRuntimes() {}

  /** The runtime of a driver that prepares as another one does, and never undoes a step. */
  static DriverRuntime forgetful(Path store, PreparingDriver driver) throws StoreException {
    PreparingDriver forgetful =
        new PreparingDriver() {
          @Override
          public String name() {
            return driver.name();
          }

          @Override
          public List<Device> discover(HostInventory host) {
            return driver.discover(host);
          }

          @Override
          public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
            return driver.prepare(claim, journal);
          }

          @Override
          public void unprepare(PreparedClaim claim, Journal journal) {}
        };
    return RuntimeFixture.runtime(store, forgetful).bootId("boot-1").build();
  }
}
