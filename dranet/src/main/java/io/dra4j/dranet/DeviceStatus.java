package io.dra4j.dranet;

import io.dra4j.dranet.attach.AttachedLink;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.Condition;
import io.dra4j.model.DeviceId;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.netlink.route.IpPrefix;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Creates the entries of {@code status.devices} of a claim for devices that are attached. */
final class DeviceStatus {

  private static final int MAX_IPS = 16; // resource.k8s.io/v1, NetworkDeviceDataMaxIPs

  private DeviceStatus() {}

  static AllocatedDeviceStatus of(
      DeviceId device, AttachedLink attached, boolean hasRdma, Instant now) {
    AllocatedDeviceStatus.Builder status = AllocatedDeviceStatus.of(device);
    String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
    List<Condition> conditions = new ArrayList<>();
    if (attached.interfaceName().isEmpty()) {
      conditions.add(condition("Ready", "RDMAOnlyDeviceReady", time));
    } else {
      conditions.add(condition("Ready", "NetworkDeviceReady", time));
      conditions.add(condition("NetworkReady", "NetworkReady", time));
      status.networkData(
          new NetworkDeviceData(
              attached.interfaceName(),
              attached.addresses().stream().limit(MAX_IPS).map(IpPrefix::toString).toList(),
              attached.hardwareAddress()));
    }
    if (hasRdma && attached.rdmaMoved()) {
      conditions.add(condition("RDMALinkReady", "RDMALinkReady", time));
    }
    return status.conditions(conditions).build();
  }

  private static Condition condition(String type, String reason, String time) {
    return Condition.of(type, "True").reason(reason).lastTransitionTime(time).build();
  }
}
