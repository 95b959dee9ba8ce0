package io.dra4j.netlink.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.dra4j.linux.NetworkNamespace;
import io.dra4j.netlink.route.NewLink;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.uevent.DeviceEvent;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostWatcher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NetlinkWatcherTest {

  /** What was told. */
  private static final class Heard implements HostWatcher.Listener {

    private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();

    @Override
    public void changed(String what) {
      changes.add(what);
    }

    @Override
    public void lost(String why) {
      changes.add("lost: " + why);
    }

    private List<String> until(String wanted) throws InterruptedException {
      List<String> all = new ArrayList<>();
      while (!all.contains(wanted)) {
        String next = changes.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("after %s", all).isNotNull();
        all.add(next);
      }
      return all;
    }
  }

  private final Heard heard = new Heard();

  @Test
  void aNewLinkIsTold() throws Exception {
    try (NetworkNamespace namespace = namespace();
        HostWatcher.Watch watch =
            namespace.call(() -> new NetlinkWatcher().watch(Host.live(), heard));
        RouteNetlink route = RouteNetlink.open(namespace)) {
      route.links().create(NewLink.veth("eth0", "eth1"));

      assertThat(watch).isNotNull();
      assertThat(heard.until("link eth0")).noneMatch(one -> one.startsWith("lost"));
    }
  }

  @Test
  void afterClosingNothingIsTold() throws Exception {
    try (NetworkNamespace namespace = namespace();
        RouteNetlink route = RouteNetlink.open(namespace)) {
      namespace.call(() -> new NetlinkWatcher().watch(Host.live(), heard)).close();
      route.links().create(NewLink.veth("eth0", "eth1"));

      assertThat(heard.changes).isEmpty();
    }
  }

  @Test
  void aCapturedHostDoesNotChange() throws Exception {
    try (HostWatcher.Watch watch =
        new NetlinkWatcher().watch(Host.captured(Path.of("/nowhere")), heard)) {
      assertThat(watch).isNotNull();
    }

    assertThat(heard.changes).isEmpty();
  }

  @Test
  void ofDevicesOnlyThoseThatDriversOfferAreTold() {
    NetlinkWatcher.reportDevices(
        List.of(
            event("add", "/devices/pci0000:00/0000:00:01.0", "pci"),
            event("change", "/devices/pci0000:00/0000:00:01.0", "pci"),
            event("add", "/devices/virtual/block/loop0", "block"),
            event("remove", "/devices/x/infiniband/mlx5_0", "infiniband")),
        heard);

    assertThat(heard.changes)
        .containsExactly(
            "add /devices/pci0000:00/0000:00:01.0", "remove /devices/x/infiniband/mlx5_0");
  }

  @Test
  void itIsInstalled() {
    assertThat(ServiceLoader.load(HostWatcher.class))
        .hasAtLeastOneElementOfType(NetlinkWatcher.class);
  }

  private static DeviceEvent event(String action, String path, String subsystem) {
    return new DeviceEvent(action, path, subsystem, Map.of());
  }

  private static NetworkNamespace namespace() throws IOException {
    try {
      return NetworkNamespace.create();
    } catch (IOException e) {
      return abort("this process may not make network namespaces: " + e);
    }
  }
}
