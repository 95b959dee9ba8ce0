package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.SemVer;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Flags of unusual devices of a slice; most devices have none. Determined on demand, one block of
 * devices at a time, because a slice may have more devices than fit into a caller's budget.
 */
final class DeviceFlags {

  /** The maximum number of devices in a slice of the API. */
  private static final int DEVICES_PER_BLOCK = 128;

  /** Checking this many values takes no longer than a unit of a budget. */
  private static final int VALUES_PER_UNIT = 32;

  /** Most devices of a slice have the same few versions. */
  private static final int VERSIONS = 4;

  private static final Block NOTHING = new Block(new BitSet(0), new BitSet(0));

  private final List<Device> devices;
  private final AtomicReferenceArray<@Nullable Block> blocks; // a race only computes one twice

  private record Block(BitSet broken, BitSet demanding) {}

  DeviceFlags(List<Device> devices) {
    this.devices = devices;
    this.blocks =
        new AtomicReferenceArray<>((devices.size() + DEVICES_PER_BLOCK - 1) / DEVICES_PER_BLOCK);
  }

  /**
   * Whether the device has an attribute without a value, or with an invalid version. Every
   * expression fails on such a device, and the message names the attribute.
   */
  boolean isBroken(int position, Budget budget) throws BudgetExceededException {
    return block(position, budget).broken.get(position % DEVICES_PER_BLOCK);
  }

  /** Whether capacities can reject a request for the whole device: by a policy, or if below 0. */
  boolean hasDemandingCapacities(int position, Budget budget) throws BudgetExceededException {
    return block(position, budget).demanding.get(position % DEVICES_PER_BLOCK);
  }

  private Block block(int position, Budget budget) throws BudgetExceededException {
    int number = position / DEVICES_PER_BLOCK;
    Block known = blocks.get(number);
    if (known == null) {
      known = new Search(budget).in(number * DEVICES_PER_BLOCK);
      blocks.set(number, known);
    }
    return known;
  }

  /** Checks the devices of a block. */
  private final class Search {

    private final Budget budget;
    private final @Nullable DeviceAttribute[] good = new DeviceAttribute[VERSIONS]; // by identity
    private int found; // the number of elements of {@code good}
    private int values;

    Search(Budget budget) {
      this.budget = budget;
    }

    Block in(int from) throws BudgetExceededException {
      BitSet broken = new BitSet(0);
      BitSet demanding = new BitSet(0);
      int count = Math.min(DEVICES_PER_BLOCK, devices.size() - from);
      for (int i = 0; i < count; i++) {
        Device device = devices.get(from + i);
        if (isBroken(device)) {
          broken.set(i);
        }
        if (isDemanding(device)) {
          demanding.set(i);
        }
      }
      return broken.isEmpty() && demanding.isEmpty() ? NOTHING : new Block(broken, demanding);
    }

    private boolean isBroken(Device device) throws BudgetExceededException {
      for (DeviceAttribute attribute : device.attributes().values()) {
        look();
        if (isBroken(attribute)) {
          return true;
        }
      }
      return false;
    }

    private boolean isBroken(DeviceAttribute attribute) throws BudgetExceededException {
      if (attribute instanceof DeviceAttribute.VersionValue version) {
        return !isVersion(version);
      }
      if (attribute instanceof DeviceAttribute.VersionValues versions) {
        for (String version : versions.values()) {
          look();
          if (SemVer.tryParse(version).isEmpty()) {
            return true;
          }
        }
      }
      return attribute instanceof DeviceAttribute.NoValue;
    }

    @SuppressWarnings("ReferenceEquality") // only an optimization
    private boolean isVersion(DeviceAttribute.VersionValue version) {
      for (DeviceAttribute known : good) {
        if (known == version) {
          return true;
        }
      }
      boolean isVersion = SemVer.tryParse(version.value()).isPresent();
      if (isVersion) {
        good[found++ % VERSIONS] = version;
      }
      return isVersion;
    }

    private boolean isDemanding(Device device) throws BudgetExceededException {
      for (DeviceCapacity capacity : device.capacity().values()) {
        look();
        if (capacity.requestPolicy() != null || capacity.value().signum() < 0) {
          return true;
        }
      }
      return false;
    }

    private void look() throws BudgetExceededException {
      if (++values % VALUES_PER_UNIT == 0) {
        budget.spend(1);
      }
    }
  }
}
