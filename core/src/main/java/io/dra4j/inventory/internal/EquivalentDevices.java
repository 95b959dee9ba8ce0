package io.dra4j.inventory.internal;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.Quantity;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorReads;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a selector once for all devices that are equal in the parts that it reads. Most of the
 * 16,000 devices of a large cluster are equal.
 *
 * <p>Devices are equal only if no expression can distinguish them. Quantities that are equal but
 * written in different ways are not equal here, because {@code isInteger()}, {@code asInteger()}
 * and {@code asApproximateFloat()} depend on the notation of a number. Versions are compared as
 * they are written, lists in their order.
 */
final class EquivalentDevices implements BoundedCache.Part {

  /**
   * With more kinds of devices than this, comparing them costs more than evaluating the selector.
   */
  private static final int MAX_KINDS = 256;

  private static final int BYTES_OF_KIND = 160;
  private static final int BYTES_OF_VALUE = 64;
  private static final int BYTES_OF_REFERENCE = 8;

  /** The values that devices of one kind have in common. */
  private static final class Kind {
    final @Nullable Object[] values;
    private final int hash;

    Kind(@Nullable Object[] values) {
      this.values = values;
      this.hash = Arrays.hashCode(values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Kind kind && hash == kind.hash && Arrays.equals(values, kind.values);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** The result of the selector for a kind: a failure, or whether it matches. */
  private record Answer(Kind kind, boolean matches, @Nullable SelectorException failure) {
    boolean get() throws SelectorException {
      if (failure != null) {
        throw failure; // has no stack trace
      }
      return matches;
    }
  }

  private final SelectorReads reads;
  private final QualifiedName[] attributes;
  private final QualifiedName[] capacities;
  private final BoundedCache memory;
  private final Map<Kind, Answer> answers = new ConcurrentHashMap<>();
  private volatile @Nullable Answer latest; // neighbours are mostly equal

  /** Creates a cache that counts in the given memory. */
  EquivalentDevices(SelectorReads reads, BoundedCache memory) {
    this.reads = reads;
    this.attributes =
        reads.attributes().stream().map(QualifiedName::of).toArray(QualifiedName[]::new);
    this.capacities =
        reads.capacities().stream().map(QualifiedName::of).toArray(QualifiedName[]::new);
    this.memory = memory;
  }

  /**
   * Returns whether a selector matches a device of the slice.
   *
   * @param selector always the selector whose reads were given
   * @throws SelectorException if it fails on the device
   * @throws BudgetExceededException if the budget is used up before the selector has a result
   */
  boolean matches(CompiledSelector selector, PublishedSlice slice, int position, Budget budget)
      throws SelectorException, BudgetExceededException {
    Device device = slice.published.devices().get(position);
    String driver = slice.published.driver();
    if (reads.everything() || slice.peculiarities.isBroken(position, budget)) {
      return selector.matches(driver, device, budget);
    }
    Answer neighbour = latest;
    if (neighbour != null && isLike(neighbour.kind, driver, device)) {
      return neighbour.get();
    }
    Kind kind = kindOf(driver, device);
    if (kind == null) {
      return selector.matches(driver, device, budget);
    }
    Answer answer = answers.get(kind);
    if (answer == null) {
      answer = ask(selector, kind, driver, device, budget);
      if (answer.failure != null && answer.failure.isPassing()) {
        throw answer.failure; // the next device is evaluated again
      }
      if (answers.size() < MAX_KINDS && answers.put(kind, answer) == null) {
        memory.grown(this, weightOf(kind));
      }
    }
    latest = answer;
    return answer.get();
  }

  @Override
  public void forget() {
    answers.clear();
    latest = null;
  }

  private static Answer ask(
      CompiledSelector selector, Kind kind, String driver, Device device, Budget budget)
      throws BudgetExceededException {
    try {
      return new Answer(kind, selector.matches(driver, device, budget), null);
    } catch (SelectorException e) {
      return new Answer(kind, false, e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // equal quantities are usually the same object
  private boolean isLike(Kind kind, String driver, Device device) {
    int i = 0;
    if (!driver.equals(kind.values[i++])
        || !Objects.equals(kind.values[i++], allowsSharing(device))) {
      return false;
    }
    for (QualifiedName name : attributes) {
      DeviceAttribute value = name.in(driver, device.attributes());
      if (!Objects.equals(value, kind.values[i++]) || name.isTwiceIn(driver, device.attributes())) {
        return false;
      }
    }
    for (QualifiedName name : capacities) {
      DeviceCapacity capacity = name.in(driver, device.capacity());
      Object known = kind.values[i++];
      if (capacity == null || known == null) {
        if (capacity != null || known != null) {
          return false;
        }
      } else if (((Quantity.Written) known).quantity() != capacity.value()
          && !known.equals(new Quantity.Written(capacity.value()))) {
        return false;
      }
      if (name.isTwiceIn(driver, device.capacity())) {
        return false;
      }
    }
    return true;
  }

  /** The values that the selector reads from a device; null if the device has two for one name. */
  private @Nullable Kind kindOf(String driver, Device device) {
    @Nullable Object[] values = new Object[2 + attributes.length + capacities.length];
    int i = 0;
    values[i++] = driver;
    values[i++] = allowsSharing(device);
    for (QualifiedName name : attributes) {
      if (name.isTwiceIn(driver, device.attributes())) {
        return null;
      }
      values[i++] = name.in(driver, device.attributes());
    }
    for (QualifiedName name : capacities) {
      if (name.isTwiceIn(driver, device.capacity())) {
        return null;
      }
      DeviceCapacity capacity = name.in(driver, device.capacity());
      values[i++] = capacity == null ? null : new Quantity.Written(capacity.value());
    }
    return new Kind(values);
  }

  private @Nullable Boolean allowsSharing(Device device) {
    return reads.multipleAllocations() ? device.allowMultipleAllocations() : null;
  }

  private static long weightOf(Kind kind) {
    long bytes = BYTES_OF_KIND;
    for (Object value : kind.values) {
      bytes += BYTES_OF_VALUE;
      if (value instanceof DeviceAttribute.StringValue text) {
        bytes += text.value().length();
      } else if (value instanceof DeviceAttribute.VersionValue version) {
        bytes += version.value().length();
      } else if (value instanceof DeviceAttribute.StringValues texts) {
        bytes += weightOf(texts.values());
      } else if (value instanceof DeviceAttribute.VersionValues versions) {
        bytes += weightOf(versions.values());
      } else if (value instanceof DeviceAttribute.IntValues numbers) {
        bytes += (long) BYTES_OF_VALUE * numbers.values().size();
      } else if (value instanceof DeviceAttribute.BoolValues truths) {
        bytes += (long) BYTES_OF_REFERENCE * truths.values().size();
      }
    }
    return bytes;
  }

  private static long weightOf(List<String> texts) {
    return texts.stream().mapToLong(text -> BYTES_OF_VALUE + text.length()).sum();
  }
}
