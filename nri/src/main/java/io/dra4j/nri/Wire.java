package io.dra4j.nri;

import io.dra4j.nri.wire.WireAdjustment;
import io.dra4j.nri.wire.WireCdiDevice;
import io.dra4j.nri.wire.WireConfigure;
import io.dra4j.nri.wire.WireContainer;
import io.dra4j.nri.wire.WireDevice;
import io.dra4j.nri.wire.WireInt64;
import io.dra4j.nri.wire.WireLinuxUpdate;
import io.dra4j.nri.wire.WireMount;
import io.dra4j.nri.wire.WireNamespace;
import io.dra4j.nri.wire.WirePod;
import io.dra4j.nri.wire.WireResources;
import io.dra4j.nri.wire.WireUint32;
import io.dra4j.nri.wire.WireUpdate;
import io.dra4j.nri.wire.WireVariable;
import java.time.Duration;
import java.util.Optional;

/** Converts messages of NRI to records and back. */
final class Wire {
  private static final NriContainer.State[] STATES = NriContainer.State.values();

  private Wire() {}

  static NriRuntime runtime(WireConfigure message) {
    return new NriRuntime(
        message.getConfig(),
        message.getRuntimeName(),
        message.getRuntimeVersion(),
        message.getNriVersion(),
        timeout(message.getRegistrationTimeoutMs(), 5000),
        timeout(message.getRequestTimeoutMs(), 2000));
  }

  private static Duration timeout(long millis, long otherwise) {
    return Duration.ofMillis(millis > 0 ? Math.min(millis, 3_600_000) : otherwise);
  }

  static PodSandbox pod(WirePod pod) {
    Optional<String> netns =
        pod.getLinux().getNamespacesList().stream()
            .filter(namespace -> namespace.getType().equals("network"))
            .map(WireNamespace::getPath)
            .filter(path -> !path.isEmpty())
            .findFirst();
    return new PodSandbox(
        pod.getId(),
        pod.getUid(),
        pod.getName(),
        pod.getNamespace(),
        netns,
        pod.getLabelsMap(),
        pod.getAnnotationsMap(),
        Integer.toUnsignedLong(pod.getPid()));
  }

  static NriContainer container(WireContainer container) {
    int state = container.getState();
    return new NriContainer(
        container.getId(),
        container.getPodSandboxId(),
        container.getName(),
        state > 0 && state < STATES.length ? STATES[state] : NriContainer.State.UNKNOWN,
        container.getLabelsMap(),
        container.getAnnotationsMap(),
        Integer.toUnsignedLong(container.getPid()));
  }

  static WireAdjustment adjustment(ContainerAdjustment adjustment) {
    WireAdjustment.Builder to = WireAdjustment.newBuilder();
    to.putAllAnnotations(adjustment.annotations());
    adjustment.env().forEach((k, v) -> to.addEnv(WireVariable.newBuilder().setKey(k).setValue(v)));
    for (ContainerMount mount : adjustment.mounts()) {
      to.addMounts(
          WireMount.newBuilder()
              .setDestination(mount.destination())
              .setType(mount.type())
              .setSource(mount.source())
              .addAllOptions(mount.options()));
    }
    for (String name : adjustment.cdiDevices()) {
      to.addCdiDevices(WireCdiDevice.newBuilder().setName(name));
    }
    for (LinuxDevice device : adjustment.devices()) {
      to.getLinuxBuilder().addDevices(device(device));
    }
    return to.build();
  }

  private static WireDevice device(LinuxDevice device) {
    WireDevice.Builder to =
        WireDevice.newBuilder()
            .setPath(device.path())
            .setType(device.type())
            .setMajor(device.major())
            .setMinor(device.minor());
    device.fileMode().ifPresent(value -> to.setFileMode(uint32(value)));
    device.uid().ifPresent(value -> to.setUid(uint32(value)));
    device.gid().ifPresent(value -> to.setGid(uint32(value)));
    return to.build();
  }

  private static WireUint32 uint32(int value) {
    return WireUint32.newBuilder().setValue(value).build();
  }

  static WireUpdate update(ContainerUpdate update) {
    WireResources.Builder resources = WireResources.newBuilder();
    update.cpus().ifPresent(cpus -> resources.getCpuBuilder().setCpus(cpus));
    update.memoryNodes().ifPresent(nodes -> resources.getCpuBuilder().setMems(nodes));
    update
        .memoryLimit()
        .ifPresent(
            limit -> resources.getMemoryBuilder().setLimit(WireInt64.newBuilder().setValue(limit)));
    return WireUpdate.newBuilder()
        .setContainerId(update.containerId())
        .setLinux(WireLinuxUpdate.newBuilder().setResources(resources))
        .setIgnoreFailure(update.ignoreFailure())
        .build();
  }
}
