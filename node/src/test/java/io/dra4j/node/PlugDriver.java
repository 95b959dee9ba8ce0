package io.dra4j.node;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequestAllocationResult;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.runtime.RuntimeOptions;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Host;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.spi.publish.AttributeBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** A driver of plugs, each of which is in one sandbox at a time. */
class PlugDriver implements PreparingDriver {

  static final String NAME = "plug.example.com";

  /** What happens before a plug is attached. */
  interface Before {
    void attach(Sandbox sandbox) throws DriverException;
  }

  /** What happens before a plug is detached. */
  interface BeforeDetach {
    void detach() throws InterruptedException;
  }

  final Set<String> attached = ConcurrentHashMap.newKeySet();
  volatile Before before = sandbox -> {};
  volatile Map<String, List<DeviceTaint>> taints = Map.of();
  volatile List<AllocatedDeviceStatus> statuses = List.of();
  volatile BeforeDetach beforeDetach = () -> {};

  static DriverRuntime runtime(Path store, PreparingDriver driver) throws Exception {
    DriverRuntime runtime = options(store, driver).build();
    runtime.start();
    return runtime;
  }

  static RuntimeOptions options(Path store, PreparingDriver driver) {
    return DriverRuntime.builder()
        .driver(driver)
        .host(Host.captured(store.resolveSibling("root")))
        .node("node-1")
        .readers(TopologyReaders.of())
        .watchers(List.of())
        .store(store)
        .discovery(Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMinutes(1));
  }

  /** A claim of one plug for pods, whose UIDs are their names. */
  static ResourceClaim claim(String name, String plug, String... pods) {
    return claim(
        name,
        plug,
        Stream.of(pods)
            .map(pod -> new ResourceClaimConsumerReference("", "pods", pod, pod))
            .toList());
  }

  static ResourceClaim claim(
      String name, String plug, List<ResourceClaimConsumerReference> reservedFor) {
    AllocationResult allocation =
        AllocationResult.builder()
            .result(
                DeviceRequestAllocationResult.of("plug", new DeviceId(NAME, "node-1", plug))
                    .build())
            .build();
    return ResourceClaim.named(name)
        .metadata(new ObjectMeta(name, "default", "uid-" + name, Map.of(), Map.of()))
        .status(new ResourceClaimStatus(allocation, reservedFor, List.of()))
        .build();
  }

  /** A sandbox of a pod, with a network namespace that tests do not open. */
  static Sandbox sandbox(String id, String pod) {
    return Sandbox.ofPod(id, pod)
        .pod("default", pod)
        .networkNamespace(Path.of("/run/netns", id))
        .build();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Device> discover(HostInventory host) {
    return List.of(
        AttributeBuilder.forDriver(NAME).text("color", "red").build("a"),
        AttributeBuilder.forDriver(NAME).text("color", "red").build("b"));
  }

  @Override
  public Map<String, List<DeviceTaint>> taints(HostInventory host) {
    return taints;
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) {
    List<PreparedDevice> prepared = new ArrayList<>();
    for (ClaimedDevice device : claim.devices()) {
      prepared.add(
          PreparedDevice.of(
              device, new ContainerEdits(Map.of("PLUG", device.name()), List.of(), List.of()), ""));
    }
    return new Prepared(prepared);
  }

  @Override
  public List<AllocatedDeviceStatus> attach(PreparedClaim claim, Sandbox sandbox, Journal journal)
      throws DriverException {
    before.attach(sandbox);
    journal.record(new Step("plug", "{}"));
    attached.add(claim.claim().name() + " in " + sandbox.id());
    return statuses;
  }

  @Override
  public void detach(PreparedClaim claim, Sandbox sandbox, Journal journal) throws DriverException {
    try {
      beforeDetach.detach();
    } catch (InterruptedException e) {
      throw DriverException.failed("interrupted", e);
    }
    attached.remove(claim.claim().name() + " in " + sandbox.id());
    PreparingDriver.super.detach(claim, sandbox, journal);
  }

  @Override
  public void undo(Step step) {}

  /** A driver of files: it attaches nothing. */
  static final class OfFiles implements PreparingDriver {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public List<Device> discover(HostInventory host) {
      return new PlugDriver().discover(host);
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) {
      return new PlugDriver().prepare(claim, journal);
    }
  }

  /** Notices that are counted. */
  static final class Notices implements PodNotices {

    final Set<String> kicked = ConcurrentHashMap.newKeySet();
    final Map<String, String> warnings = new ConcurrentHashMap<>();

    @Override
    public void kick(Sandbox sandbox) {
      kicked.add(sandbox.id());
    }

    @Override
    public void attachFailed(Sandbox sandbox, Throwable failure) {
      warnings.put("failed", String.valueOf(failure.getMessage()));
    }

    @Override
    public void attachLate(Sandbox sandbox, String message) {
      warnings.put("late", message);
    }

    Optional<String> warning(String reason) {
      return Optional.ofNullable(warnings.get(reason));
    }
  }
}
