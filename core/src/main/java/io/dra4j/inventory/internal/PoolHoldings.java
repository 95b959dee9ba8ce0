package io.dra4j.inventory.internal;

import io.dra4j.model.ClaimKey;
import io.dra4j.persistent.PersistentMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The holdings of one pool, by the names of its devices, whether they are published or not. */
public final class PoolHoldings {

  static final PoolHoldings NONE = new PoolHoldings(PersistentMap.empty());

  private final PersistentMap<String, DeviceHoldings> devices;

  private PoolHoldings(PersistentMap<String, DeviceHoldings> devices) {
    this.devices = devices;
  }

  /** Creates the holdings of some claims, by device, each in any order. */
  public static PoolHoldings of(Map<String, List<Holding>> byDevice) {
    PersistentMap.Editor<String, DeviceHoldings> editor =
        PersistentMap.<String, DeviceHoldings>empty().edit();
    byDevice.forEach((device, parts) -> editor.put(device, DeviceHoldings.of(parts)));
    return new PoolHoldings(editor.done());
  }

  boolean isEmpty() {
    return devices.size() == 0;
  }

  @Nullable
  public DeviceHoldings of(String device) {
    return devices.get(device);
  }

  /** These holdings and the holdings of one more claim, by device. */
  PoolHoldings with(Map<String, List<Holding>> ofClaim) {
    PersistentMap.Editor<String, DeviceHoldings> editor = devices.edit();
    ofClaim.forEach(
        (device, parts) -> {
          DeviceHoldings known = editor.get(device);
          editor.put(device, known == null ? DeviceHoldings.of(parts) : known.with(parts));
        });
    return new PoolHoldings(editor.done());
  }

  /** These holdings without the claim's holdings of some devices. */
  PoolHoldings without(Set<String> names, ClaimKey claim) {
    PersistentMap.Editor<String, DeviceHoldings> editor = devices.edit();
    for (String device : names) {
      DeviceHoldings known = editor.get(device);
      DeviceHoldings others = known == null ? null : known.without(claim);
      if (others == null) {
        editor.remove(device);
      } else {
        editor.put(device, others);
      }
    }
    return new PoolHoldings(editor.done());
  }
}
