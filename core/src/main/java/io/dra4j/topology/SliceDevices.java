package io.dra4j.topology;

import static io.dra4j.topology.PublishedPlace.attribute;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceId;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceSlice;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The devices of a ResourceSlice, with what their attributes say about where they sit. */
final class SliceDevices {

  private static final List<String> NAMES =
      List.of(
          "dra.net/ifName",
          "dra.net/rdmaDevice",
          "host.dra4j.io/ifName",
          "host.dra4j.io/rdmaDevice");

  private static final String PHYSICAL_FUNCTION = "host.dra4j.io/physicalFunction";
  private static final List<String> ADDRESSES =
      Stream.concat(PublishedPlace.ADDRESS.stream(), Stream.of(PHYSICAL_FUNCTION)).toList();
  private static final String LINK = "host.dra4j.io/link";
  private static final String MEGABITS_PER_SECOND = "host.dra4j.io/megabitsPerSecond";
  private static final Pattern LINK_TEXT =
      Pattern.compile("(\\d{1,4})(?:\\.(\\d))? GT/s x(\\d{1,2})");

  private SliceDevices() {}

  /** Adds the devices of a slice to a topology, with warnings of what says nothing. */
  static void addTo(HostTopologyBuilder builder, ResourceSlice slice) {
    List<TopologyDevice> devices = new ArrayList<>();
    for (Device device : slice.devices()) {
      DeviceId id = slice.idOf(device);
      if (attribute(slice.driver(), device, StandardAttributes.PCIE_ROOT)
              instanceof DeviceAttribute.StringValue root
          && root.value().isEmpty()) {
        builder.warn("device " + id + ": its pcieRoot is empty; it counts as not known");
      }
      devices.add(device(id, slice.driver(), device));
    }
    builder.devices(devices);
    unreadableAddresses(slice).forEach(builder::warn);
  }

  /** The addresses that are none, for people: slice and device, attribute, and its value. */
  static List<String> unreadableAddresses(ResourceSlice slice) {
    List<String> problems = new ArrayList<>();
    for (Device device : slice.devices()) {
      Set<QualifiedName> seen = new HashSet<>();
      for (String name : ADDRESSES) {
        DeviceAttribute value =
            seen.add(QualifiedName.of(slice.driver(), name))
                ? attribute(slice.driver(), device, name)
                : null;
        String text = value instanceof DeviceAttribute.StringValue string ? string.value() : null;
        if (value != null && (text == null || PciAddress.tryParse(text).isEmpty())) {
          problems.add(
              "ResourceSlice %s: device %s: %s: expected DDDD:BB:DD.F, such as 0000:8f:00.0, found %s"
                  .formatted(
                      slice.metadata().name(),
                      device.name(),
                      name,
                      text == null ? "no text" : "\"" + text + "\""));
        }
      }
    }
    return problems;
  }

  private static TopologyDevice device(DeviceId id, String driver, Device device) {
    PublishedPlace place = PublishedPlace.of(driver, device);
    List<String> names = new ArrayList<>();
    for (String name : NAMES) {
      if (attribute(driver, device, name) instanceof DeviceAttribute.StringValue text
          && !text.value().isEmpty()) {
        names.add(text.value());
      }
    }
    return new TopologyDevice(
        id.toString(),
        PublishedKind.of(driver, device),
        place.address().orElse(null),
        null,
        new Location(place.onlyRoot(), List.of(), place.numaNode()),
        place.onlyRoot(),
        attribute(driver, device, PHYSICAL_FUNCTION) instanceof DeviceAttribute.StringValue text
            ? PciAddress.tryParse(text.value()).orElse(null)
            : null,
        link(driver, device),
        names,
        megabitsPerSecond(driver, device),
        id);
  }

  /** As {@link PcieLink#toString} writes it. */
  private static @Nullable PcieLink link(String driver, Device device) {
    if (attribute(driver, device, LINK) instanceof DeviceAttribute.StringValue text) {
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

  private static OptionalLong megabitsPerSecond(String driver, Device device) {
    if (attribute(driver, device, MEGABITS_PER_SECOND) instanceof DeviceAttribute.IntValue rate
        && rate.value() > 0) {
      return OptionalLong.of(rate.value());
    }
    return OptionalLong.empty();
  }
}
