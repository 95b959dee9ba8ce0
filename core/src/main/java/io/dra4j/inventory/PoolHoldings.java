package io.dra4j.inventory;

import io.dra4j.model.ClaimKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is held of one pool, by the names of its devices, whether they are published or not. */
final class PoolHoldings {

  static final PoolHoldings NONE = new PoolHoldings(PersistentMap.empty());

  private final PersistentMap<String, DeviceHoldings> devices;

  private PoolHoldings(PersistentMap<String, DeviceHoldings> devices) {
    this.devices = devices;
  }

  boolean isEmpty() {
    return devices.size() == 0;
  }

  @Nullable DeviceHoldings of(String device) {
    return devices.get(device);
  }

  PoolHoldings with(Holding part) {
    String name = part.device().device();
    DeviceHoldings known = devices.get(name);
    PersistentMap.Editor<String, DeviceHoldings> editor = devices.edit();
    editor.put(name, known == null ? DeviceHoldings.of(List.of(part)) : known.with(part));
    return new PoolHoldings(editor.done());
  }

  /** Without what the claim holds of one device. */
  PoolHoldings without(String device, ClaimKey claim) {
    DeviceHoldings known = devices.get(device);
    if (known == null) {
      return this;
    }
    PersistentMap.Editor<String, DeviceHoldings> editor = devices.edit();
    DeviceHoldings others = known.without(claim);
    if (others == null) {
      editor.remove(device);
    } else {
      editor.put(device, others);
    }
    return new PoolHoldings(editor.done());
  }
}
