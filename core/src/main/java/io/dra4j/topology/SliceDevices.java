package io.dra4j.topology;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The devices of a ResourceSlice, with their locations from attributes. */
final class SliceDevices {

  private static final QualifiedName PCIE_ROOT = QualifiedName.of(StandardAttributes.PCIE_ROOT);
  private static final List<QualifiedName> NAMES =
      PlaceReader.names(
          List.of(
              "dra.net/ifName",
              "dra.net/rdmaDevice",
              "host.dra4j.io/ifName",
              "host.dra4j.io/rdmaDevice"));

  private static final QualifiedName PHYSICAL_FUNCTION =
      QualifiedName.of("host.dra4j.io/physicalFunction");
  private static final QualifiedName LINK = QualifiedName.of("host.dra4j.io/link");
  private static final QualifiedName MEGABITS_PER_SECOND =
      QualifiedName.of("host.dra4j.io/megabitsPerSecond");
  private static final Pattern LINK_TEXT =
      Pattern.compile("(\\d{1,4})(?:\\.(\\d))? GT/s x(\\d{1,2})");

  /** Names in any domain that this class, {@link PlaceReader} and {@link PublishedKind} read. */
  private static final Set<String> READ =
      Set.of(
          "pciBusID",
          "pciAddress",
          "pciAddr",
          "parentPciAddr",
          "numaNode",
          "numaNodeID",
          "numa",
          "pcieRoot",
          "pciRoot",
          "ifName",
          "interfaceName",
          "rdma",
          "rdmaDevice",
          "PFName",
          "physicalFunction",
          "link",
          "megabitsPerSecond",
          "kind",
          "type");

  private final ResourceSlice slice;
  private final PlaceReader places;
  private final PublishedKind kind;

  private SliceDevices(ResourceSlice slice) {
    this.slice = slice;
    places = new PlaceReader(slice.driver());
    kind = new PublishedKind(slice.driver());
  }

  /** Whether the devices of a topology depend on an attribute. */
  static boolean reads(String attribute) {
    return READ.contains(attribute.substring(attribute.indexOf('/') + 1));
  }

  /** Adds the devices of a slice to a topology, with warnings about unreadable attributes. */
  static void addTo(HostTopologyBuilder builder, ResourceSlice slice) {
    SliceDevices read = new SliceDevices(slice);
    List<TopologyDevice> devices = new ArrayList<>();
    for (Device device : slice.devices()) {
      DeviceId id = slice.idOf(device);
      if (read.attribute(device, PCIE_ROOT) instanceof DeviceAttribute.StringValue root
          && root.value().isEmpty()) {
        builder.warn("device " + id + ": its pcieRoot is empty; it counts as unknown");
      }
      devices.add(read.device(id, device));
    }
    builder.devices(devices);
    read.unreadableAddresses().forEach(builder::warn);
  }

  /** Messages about malformed addresses: slice and device, attribute, and its value. */
  static List<String> unreadableAddresses(ResourceSlice slice) {
    return new SliceDevices(slice).unreadableAddresses();
  }

  private List<String> unreadableAddresses() {
    Map<QualifiedName, String> names = places.addressNames();
    names.put(PHYSICAL_FUNCTION, PHYSICAL_FUNCTION.toString());
    List<String> problems = new ArrayList<>();
    for (Device device : slice.devices()) {
      names.forEach(
          (name, written) -> {
            DeviceAttribute value = attribute(device, name);
            String text =
                value instanceof DeviceAttribute.StringValue string ? string.value() : null;
            if (value != null && (text == null || PciAddress.tryParse(text).isEmpty())) {
              problems.add(
                  "ResourceSlice %s: device %s: %s: expected DDDD:BB:DD.F, such as 0000:8f:00.0, found %s"
                      .formatted(
                          slice.metadata().name(),
                          device.name(),
                          written,
                          text == null ? "no string" : "\"" + text + "\""));
            }
          });
    }
    return problems;
  }

  private TopologyDevice device(DeviceId id, Device device) {
    PublishedPlace place = places.read(device);
    List<String> names = new ArrayList<>();
    for (QualifiedName name : NAMES) {
      if (attribute(device, name) instanceof DeviceAttribute.StringValue text
          && !text.value().isEmpty()) {
        names.add(text.value());
      }
    }
    return new TopologyDevice(
        id.toString(),
        kind.of(device),
        place.address().orElse(null),
        null,
        new Location(place.onlyRoot(), List.of(), place.numaNode()),
        place.onlyRoot(),
        attribute(device, PHYSICAL_FUNCTION) instanceof DeviceAttribute.StringValue text
            ? PciAddress.tryParse(text.value()).orElse(null)
            : null,
        link(device),
        names,
        megabitsPerSecond(device),
        id);
  }

  private @Nullable DeviceAttribute attribute(Device device, QualifiedName name) {
    return name.in(slice.driver(), device.attributes());
  }

  /** As {@link PcieLink#toString} writes it. */
  private @Nullable PcieLink link(Device device) {
    if (attribute(device, LINK) instanceof DeviceAttribute.StringValue text) {
      Matcher link = LINK_TEXT.matcher(text.value());
      if (link.matches()) {
        int tenths = link.group(2) == null ? 0 : Integer.parseInt(link.group(2));
        int speed = Integer.parseInt(link.group(1)) * 1_000 + tenths * 100;
        int width = Integer.parseInt(link.group(3));
        if (speed > 0 && speed <= PcieLink.MAX_SPEED && width > 0 && width <= PcieLink.MAX_WIDTH) {
          return new PcieLink(speed, width);
        }
      }
    }
    return null;
  }

  private OptionalLong megabitsPerSecond(Device device) {
    if (attribute(device, MEGABITS_PER_SECOND) instanceof DeviceAttribute.IntValue rate
        && rate.value() > 0) {
      return OptionalLong.of(rate.value());
    }
    return OptionalLong.empty();
  }
}
