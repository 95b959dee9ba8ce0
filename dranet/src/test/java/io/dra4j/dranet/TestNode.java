package io.dra4j.dranet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.attach.MemoryJournal;
import io.dra4j.dranet.attach.TestHost;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A namespace that stands for a node, with the network driver, and others that stand for pods. */
final class TestNode implements AutoCloseable {

  /** A claim in a pod, and the reported status of its devices. */
  record Running(PreparedClaim claim, List<AllocatedDeviceStatus> statuses) {

    List<String> ips() {
      return statuses.stream()
          .flatMap(one -> Objects.requireNonNull(one.networkData()).ips().stream())
          .toList();
    }
  }

  private final MemoryJournal journal = new MemoryJournal();
  private final List<TestHost> pods = new ArrayList<>();
  private final TestHost host = new TestHost();
  private NetworkDriver driver;
  private int links;

  TestNode() throws IOException {
    driver = withAll(NetworkDriver.builder());
  }

  /** The driver also offers ends of veth pairs, because all links here are such. */
  private NetworkDriver withAll(NetworkOptions builder) throws IOException {
    return builder.namespace(host.namespace()).filter((name, device) -> true).build();
  }

  void restart(NetworkOptions builder) throws IOException {
    driver.close();
    driver = withAll(builder);
  }

  TestHost host() {
    return host;
  }

  NetworkDriver driver() {
    return driver;
  }

  MemoryJournal journal() {
    return journal;
  }

  TestHost newPod() throws IOException {
    TestHost pod = new TestHost();
    pods.add(pod);
    return pod;
  }

  /** A link, up, whose other end is on the node, too. */
  void link(String name) throws IOException {
    String far = "far" + links++;
    host.ip("link add " + name + " type veth peer name " + far);
    host.ip("link set " + far + " up", "link set " + name + " up");
  }

  int index(String link) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(host.namespace())) {
      return route.links().get(link).index();
    }
  }

  /** Returns the device offered for a link. */
  Device find(String link) {
    return driver.discover(HostInventory.builder().build()).stream()
        .filter(one -> DeviceAttribute.of(link).equals(one.attributes().get("ifName")))
        .findFirst()
        .orElseThrow();
  }

  static Sandbox sandbox(TestHost pod) {
    long process = ProcessHandle.current().pid();
    int number = pod.namespace().descriptor().number();
    return Sandbox.of(Path.of("/proc/%d/fd/%d".formatted(process, number)));
  }

  /** Single quotes stand for double ones. */
  PreparedClaim prepare(String json, String... wanted) throws DriverException {
    List<ClaimedDevice> devices = new ArrayList<>();
    for (String link : wanted) {
      Device device = find(link);
      DeviceId id = new DeviceId(NetworkDriver.NAME, "node", device.name());
      devices.add(
          new ClaimedDevice(
              DeviceRequestAllocationResult.of("nic", id).build(),
              device,
              devices.size(),
              List.of(
                  new OpaqueConfiguration(
                      AllocationConfigSource.FROM_CLAIM, List.of(), json.replace('\'', '"')))));
    }
    String uid = "uid-" + String.join("-", wanted);
    ClaimedDevices claimed =
        new ClaimedDevices(new ClaimReference("default", "rail", uid), List.of(), devices);
    return new PreparedClaim(claimed, driver.prepare(claimed, journal));
  }

  Running attach(TestHost pod, PreparedClaim claim) throws DriverException {
    return attach(sandbox(pod), claim, journal);
  }

  Running attach(Sandbox pod, PreparedClaim claim, Journal told) throws DriverException {
    return new Running(claim, driver.attach(claim, pod, told));
  }

  void end(Running running, TestHost pod) throws DriverException {
    driver.detach(running.claim, sandbox(pod), journal);
    driver.settle(running.claim, sandbox(pod), journal);
    driver.unprepare(running.claim, journal);
    assertThat(journal.steps()).isEmpty();
  }

  @Override
  public void close() {
    driver.close();
    pods.forEach(TestHost::close);
    host.close();
  }
}
