package io.dra4j.node;

import io.dra4j.kubelet.cdi.DeviceMetadata;
import io.dra4j.kubelet.cdi.DeviceMetadata.Attribute;
import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.ClaimReference;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.PreparedDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates the device metadata for containers: attributes, and the interface in the pod. */
final class ClaimMetadata {

  private static final int MAX_ATTRIBUTES = 32; // DeviceMetadata of metadata.resource.k8s.io

  private ClaimMetadata() {}

  /**
   * Returns the metadata of each request.
   *
   * @param podClaimName the name of the claim in its pod; null if it has no template, or the name
   *     is not known
   * @param attachment the attachment of the claim; null if it is not attached
   */
  static List<DeviceMetadata> of(
      StoredClaim claim, @Nullable String podClaimName, @Nullable StoredAttachment attachment) {
    Map<String, List<DeviceMetadata.Entry>> requests = new LinkedHashMap<>();
    for (PreparedDevice device : claim.claim().prepared().devices()) {
      DeviceMetadata.Entry entry =
          new DeviceMetadata.Entry(
              device.device().pool(),
              device.device().device(),
              attributes(claim, device),
              network(attachment, device));
      for (String request : device.requests()) {
        requests.computeIfAbsent(request, none -> new ArrayList<>()).add(entry);
      }
    }
    ClaimReference reference = claim.claim().claim();
    List<DeviceMetadata> all = new ArrayList<>();
    requests.forEach(
        (request, devices) ->
            all.add(
                new DeviceMetadata(
                    reference.namespace(),
                    reference.name(),
                    claim.uid(),
                    podClaimName,
                    request,
                    devices)));
    return all;
  }

  /** The attributes: first the ones that the driver sets for the container, then published ones. */
  private static Map<String, Attribute> attributes(StoredClaim claim, PreparedDevice prepared) {
    Map<String, DeviceAttribute> known = new LinkedHashMap<>(prepared.metadata());
    for (ClaimedDevice one : claim.claim().claimed().devices()) {
      if (one.id().equals(prepared.device())) {
        one.device().attributes().forEach(known::putIfAbsent);
      }
    }
    Map<String, Attribute> attributes = new LinkedHashMap<>();
    known.forEach(
        (name, value) -> {
          Optional<Attribute> attribute = attribute(value);
          if (attribute.isPresent() && attributes.size() < MAX_ATTRIBUTES) {
            attributes.put(name, attribute.get());
          }
        });
    return attributes;
  }

  private static Optional<Attribute> attribute(DeviceAttribute value) {
    if (value instanceof DeviceAttribute.StringValue one) {
      return Optional.of(Attribute.of("string", one.value()));
    } else if (value instanceof DeviceAttribute.IntValue one) {
      return Optional.of(Attribute.of("int", one.value()));
    } else if (value instanceof DeviceAttribute.BoolValue one) {
      return Optional.of(Attribute.of("bool", one.value()));
    } else if (value instanceof DeviceAttribute.VersionValue one) {
      return Optional.of(Attribute.of("version", one.value()));
    } else if (value instanceof DeviceAttribute.StringValues list) {
      return Optional.of(new Attribute("strings", list.values(), true));
    } else if (value instanceof DeviceAttribute.IntValues list) {
      return Optional.of(new Attribute("ints", list.values(), true));
    } else if (value instanceof DeviceAttribute.BoolValues list) {
      return Optional.of(new Attribute("bools", list.values(), true));
    } else if (value instanceof DeviceAttribute.VersionValues list) {
      return Optional.of(new Attribute("versions", list.values(), true));
    }
    return Optional.empty();
  }

  private static DeviceMetadata.@Nullable Network network(
      @Nullable StoredAttachment attachment, PreparedDevice device) {
    if (attachment == null) {
      return null;
    }
    for (AllocatedDeviceStatus status : attachment.statuses()) {
      NetworkDeviceData data = status.networkData();
      DeviceId id = new DeviceId(status.driver(), status.pool(), status.device());
      if (data != null && id.equals(device.device())) {
        return new DeviceMetadata.Network(data.interfaceName(), data.ips(), data.hardwareAddress());
      }
    }
    return null;
  }
}
