package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.discovery.NetworkFacts;
import io.dra4j.linux.NetworkNamespace;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.RdmaDevice;
import io.dra4j.topology.PciAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One snapshot for all, the newest. */
@EnabledOnOs(OS.LINUX)
class NetworkDiscoveryTest {

  private static NetworkDiscovery.Snapshot snapshot(long scan, long look) {
    return new NetworkDiscovery.Snapshot(
        scan, look, HostInventory.builder().build(), NetworkFacts.NONE, Map.of());
  }

  @Test
  void aLaterInventoryIsNewerWhateverWasReadOfTheKernelSince() {
    assertThat(snapshot(1, 1).isNewerThan(null)).isTrue();
    assertThat(snapshot(1, 2).isNewerThan(snapshot(1, 1))).isTrue();
    assertThat(snapshot(1, 9).isNewerThan(snapshot(2, 3))).isFalse();
    assertThat(snapshot(2, 3).isNewerThan(snapshot(1, 9))).isTrue();
    assertThat(snapshot(2, 3).isNewerThan(snapshot(2, 3))).isFalse();
  }

  /** A prepare queries the kernel again with the existing inventory. */
  @Test
  void whatIsLookedForNeverPutsAnOlderInventoryOverANewerDiscovery(@TempDir Path root)
      throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    try (NetworkNamespace namespace = NetworkNamespace.current()) {
      NetworkDiscovery discovery =
          new NetworkDiscovery(
              NetworkDriver.builder().host(Host.captured(root)), namespace, warning -> {});
      discovery.discover(inventory(0));
      CompletableFuture<Void> looking =
          CompletableFuture.runAsync(
              () -> {
                while (!ended.get()) {
                  assertThatExceptionOfType(DriverException.class)
                      .isThrownBy(() -> discovery.find("pci-0000-ff-00-0"));
                }
              });
      for (int i = 1; i <= 3_000; i++) {
        HostInventory now = inventory(i);
        discovery.discover(now);
        assertThat(Objects.requireNonNull(discovery.newest()).host()).isSameAs(now);
      }
      ended.set(true);
      looking.join();
    }
  }

  private static HostInventory inventory(int number) {
    return HostInventory.builder()
        .rdmaDevice(
            RdmaDevice.named("mlx5_" + number)
                .address(PciAddress.parse("0000:%02x:00.0".formatted(number % 250)))
                .build())
        .build();
  }
}
