package io.dra4j.model;

import io.dra4j.internal.NamedValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets the devices of a slice share equal parts of their attributes and capacities in memory:
 * names, values, whole maps. Each map is compared with only the last few distinct maps, so that the
 * time does not grow with the number of kinds.
 */
final class MapInterner {

  private static final int MAX_KINDS = 4;

  private final @Nullable Map<?, ?>[] kinds = new Map<?, ?>[MAX_KINDS];
  private int oldest;

  private MapInterner() {}

  /** The devices, where devices with shared parts are replaced by equal ones. */
  @SuppressWarnings("ReferenceEquality") // an equal device may take less memory
  static List<Device> among(List<Device> devices) {
    if (devices.size() < 2) {
      return devices;
    }
    MapInterner attributes = new MapInterner();
    MapInterner capacities = new MapInterner();
    attributes.begin(devices, Device::attributes);
    capacities.begin(devices, Device::capacity);
    List<Device> sharing = new ArrayList<>(devices.size());
    boolean changed = false;
    for (Device device : devices) {
      Device same =
          device.withSame(
              attributes.share(device.attributes()), capacities.share(device.capacity()));
      changed |= same != device;
      sharing.add(same);
    }
    return changed ? List.copyOf(sharing) : devices;
  }

  /** If one device of a slice was changed, it adopts the names of the others, not vice versa. */
  private void begin(List<Device> devices, Function<Device, Map<String, ?>> maps) {
    Map<String, ?> before = maps.apply(devices.get(0));
    for (Device device : devices.subList(1, devices.size())) {
      Map<String, ?> map = maps.apply(device);
      if (map instanceof NamedValues<?> a
          && before instanceof NamedValues<?> b
          && a.names() == b.names()) {
        kinds[oldest++] = map;
        return;
      }
      before = map;
    }
  }

  private <V> Map<String, V> share(Map<String, V> map) {
    if (map.isEmpty()) {
      return map;
    }
    for (Map<?, ?> kind : kinds) {
      Map<String, V> shared = kind == null ? null : sharedWith(kind, map);
      if (shared != null) {
        return shared;
      }
    }
    kinds[oldest] = map;
    oldest = (oldest + 1) % MAX_KINDS;
    return map;
  }

  /** The map with the parts it shares with another; null if the other map is of another kind. */
  @SuppressWarnings("unchecked") // all maps of one object have values of one type
  private static <V> @Nullable Map<String, V> sharedWith(Map<?, ?> kind, Map<String, V> map) {
    if (kind instanceof NamedValues<?> known) {
      return map instanceof NamedValues<V> named
          ? named.sharedWith((NamedValues<V>) known, MapInterner::sameOf)
          : null;
    }
    return kind.size() == 1 && map.size() == 1 && isSame(kind, map) ? (Map<String, V>) kind : null;
  }

  private static boolean isSame(Map<?, ?> one, Map<?, ?> other) {
    Map.Entry<?, ?> a = one.entrySet().iterator().next();
    Map.Entry<?, ?> b = other.entrySet().iterator().next();
    return a.getKey().equals(b.getKey()) && sameOf(a.getValue(), b.getValue()) == a.getValue();
  }

  /** The known value, if the other one cannot be distinguished from it; else the other one. */
  private static <V> V sameOf(V known, V other) {
    if (known == other) {
      return known;
    } else if (known instanceof DeviceCapacity a && other instanceof DeviceCapacity b) {
      // Equal quantities may differ in their notation, which selectors see.
      boolean same =
          a.requestPolicy() == null
              && b.requestPolicy() == null
              && new Quantity.Written(a.value()).equals(new Quantity.Written(b.value()));
      return same ? known : other;
    }
    return known instanceof DeviceAttribute && known.equals(other) ? known : other;
  }
}
