package io.dra4j.dranet;

import io.dra4j.dranet.attach.TestHost;
import io.dra4j.model.Device;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.testkit.driver.DriverKit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledIf;

/** The suite of all drivers, with links of a namespace that go into another one. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class NetworkDriverKitTest extends DriverKit {

  private final List<NetworkDriver> drivers = new ArrayList<>();
  private TestHost host;
  private TestHost pod;

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    pod = new TestHost();
    host.ip(
        "link add nic0 address 02:00:00:00:00:10 type veth peer name other0",
        "link add nic1 address 02:00:00:00:00:11 type veth peer name other1",
        "link set other0 up",
        "link set nic0 mtu 1400 up",
        "addr add 192.0.2.5/24 dev nic0",
        "route add 198.18.0.0/15 via 192.0.2.1");
  }

  /** Other namespaces, and links as they are configured at a start. */
  @Override
  protected boolean reboot() throws IOException {
    close();
    drivers.clear();
    open();
    return true;
  }

  @AfterEach
  void close() {
    drivers.forEach(NetworkDriver::close);
    pod.close();
    host.close();
  }

  /** A runtime discovers before it serves claims. */
  @Override
  protected PreparingDriver newDriver() throws IOException {
    NetworkDriver driver =
        NetworkDriver.builder().namespace(host.namespace()).filter((name, one) -> true).build();
    drivers.add(driver);
    driver.discover(host());
    return driver;
  }

  @Override
  protected HostInventory host() {
    return HostInventory.builder().build();
  }

  @Override
  protected List<Device> chosen(List<Device> offered) {
    return offered.stream().filter(one -> one.name().startsWith("nic")).toList();
  }

  @Override
  protected String parameters(Device device) {
    return """
        {"interface": {"name": "p-%s", "arpIgnore": 1, "forwarding": true},
         "rules": [{"source": "192.0.2.0/24", "table": 77}]}"""
        .formatted(device.name());
  }

  @Override
  protected Sandbox sandbox() {
    return Sandbox.ofPod("kit", "kit-pod")
        .pod("default", "kit")
        .networkNamespace(
            Path.of(
                "/proc/%d/fd/%d"
                    .formatted(
                        ProcessHandle.current().pid(), pod.namespace().descriptor().number())))
        .build();
  }

  @Override
  protected Object hostState() throws IOException {
    List<Object> state = new ArrayList<>();
    for (String link : List.of("nic0", "nic1")) {
      boolean isHere = host.json("ip -j link show").findValuesAsText("ifname").contains(link);
      state.add(
          !isHere
              ? link + " is away"
              : link.equals("nic0")
                  ? host.seen(link)
                  : host.json("ip -j link show dev nic1").findValuesAsText("mtu"));
    }
    state.add(pod.json("ip -j link show").findValuesAsText("ifname"));
    state.add(pod.run("ip rule show"));
    return state;
  }
}
