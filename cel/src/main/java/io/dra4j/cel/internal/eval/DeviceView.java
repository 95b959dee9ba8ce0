package io.dra4j.cel.internal.eval;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.dra4j.cel.internal.text.GoVersions;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.EvaluationMeter;
import io.dra4j.cel.internal.value.MapValue;
import io.dra4j.cel.internal.value.QuantityValue;
import io.dra4j.cel.internal.value.SemVerValue;
import io.dra4j.cel.internal.value.ValueList;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceCapacity;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.SemVer;
import io.dra4j.selector.SelectorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The variable {@code device}, as {@code k8s.io/dynamic-resource-allocation/cel/compile.go} fills
 * it. Created once for a device, it serves any number of evaluations on any number of threads.
 *
 * <p>Values are looked up in the device and converted to CEL only when a program reads them. Most
 * devices are evaluated by few selectors, so the first values are not cached, but later ones are:
 * names have numbers, and the value for a number is found once.
 */
public final class DeviceView {

  // Measured with JOL.
  private static final long BYTES = 64;
  private static final long BYTES_OF_MAPS = 250;
  private static final long BYTES_PER_VALUE = 70;
  private static final long BYTES_PER_NUMBER = 4;
  private static final long BYTES_PER_RECENT = 100;

  /** The number of values that are found before values are cached. */
  private static final int UNKEPT = 8;

  /** The number of cached values of names without a number; a power of two. */
  private static final int RECENT = 32;

  /** Attributes, or versions in a list, beyond any useful wait: more than the API allows. */
  private static final int FEW = 64;

  /** The time to create the value of an attribute, in units of an evaluation. */
  private static final long UNITS_PER_VALUE = 10;

  private static final Object MISSING = new Object();
  private static final Object[] NONE = {};

  /** The value of a name without number. */
  private record Found(AttributeName name, Object value) {}

  /** Whether a device has an attribute that is not sound. */
  private static final class Check implements BiConsumer<String, DeviceAttribute> {

    private final ValidVersions versions;
    private boolean failed;
    private boolean isLong; // one has too many values to look at without a budget

    Check(ValidVersions versions) {
      this.versions = versions;
    }

    @Override
    public void accept(String name, DeviceAttribute attribute) {
      if (attribute instanceof DeviceAttribute.VersionValues list && list.values().size() > FEW) {
        isLong = true;
      } else {
        failed |= !isSound(attribute, versions);
      }
    }

    /** Checks attributes of which there are many, or that are long. */
    void within(Budget budget, Map<String, DeviceAttribute> attributes)
        throws BudgetExceededException {
      for (DeviceAttribute attribute : attributes.values()) {
        budget.spend(1);
        if (attribute instanceof DeviceAttribute.VersionValues list) {
          for (String version : list.values()) {
            budget.spend(1);
            failed |= !versions.contains(version);
          }
        } else {
          failed |= !isSound(attribute, versions);
        }
      }
    }
  }

  private final String driver;
  private final boolean allowMultipleAllocations;
  private final Map<String, DeviceAttribute> attributes;
  private final Map<String, DeviceCapacity> capacity;
  private final boolean checked; // whether all attributes are known to be sound

  // What is there of these is right; races only repeat work, and count its bytes twice.
  private byte found; // how many values, up to UNKEPT
  private @Nullable Object[] byNumber = NONE;
  private @Nullable Found @Nullable [] recent;
  private @Nullable MapValue attributeDomains; // made when a program needs more than named values
  private @Nullable MapValue capacityDomains;
  private @Nullable MapValue all;
  private @Nullable LongAdder bytes; // of those who remember it

  private DeviceView(
      String driver,
      boolean allowMultipleAllocations,
      Map<String, DeviceAttribute> attributes,
      Map<String, DeviceCapacity> capacity,
      boolean checked) {
    this.checked = checked;
    this.driver = driver;
    this.allowMultipleAllocations = allowMultipleAllocations;
    this.attributes = attributes;
    this.capacity = capacity;
  }

  /**
   * Makes the view of a device.
   *
   * @throws SelectorException if an attribute has no value or an invalid version; every expression
   *     fails on such a device, even if it does not read the attribute
   * @throws BudgetExceededException if the budget expires before all attributes are checked
   */
  static DeviceView of(String driver, Device device, ValidVersions versions, Budget budget)
      throws SelectorException, BudgetExceededException {
    Map<String, DeviceAttribute> attributes = device.attributes();
    Check check = new Check(versions);
    if (attributes.size() <= FEW) {
      attributes.forEach(check); // makes no objects, as an iterator would
    }
    if (attributes.size() > FEW || check.isLong) {
      check.within(budget, attributes);
    }
    if (check.failed) {
      throw problem(attributes, versions);
    }
    return new DeviceView(
        driver, device.allowMultipleAllocations(), attributes, device.capacity(), true);
  }

  /**
   * Makes the view of a device whose attributes fail where they are read, if they are not sound.
   */
  static DeviceView unchecked(String driver, Device device) {
    return new DeviceView(
        driver, device.allowMultipleAllocations(), device.attributes(), device.capacity(), false);
  }

  private static boolean isSound(DeviceAttribute attribute, ValidVersions versions) {
    if (attribute instanceof DeviceAttribute.VersionValue version) {
      return versions.contains(version.value());
    } else if (attribute instanceof DeviceAttribute.VersionValues list) {
      for (String version : list.values()) {
        if (!versions.contains(version)) {
          return false;
        }
      }
    }
    return !(attribute instanceof DeviceAttribute.NoValue);
  }

  /** Returns the exception for the first invalid attribute. */
  private static SelectorException problem(
      Map<String, DeviceAttribute> attributes, ValidVersions versions) {
    for (Map.Entry<String, DeviceAttribute> entry : attributes.entrySet()) {
      DeviceAttribute attribute = entry.getValue();
      String problem = "attribute " + entry.getKey() + ": ";
      if (attribute instanceof DeviceAttribute.NoValue) {
        return new SelectorException(problem + "unsupported attribute value");
      } else if (!isSound(attribute, versions)) {
        for (String text : attribute.texts()) {
          if (!versions.contains(text)) {
            return new SelectorException(
                problem + "parse semantic version: " + GoVersions.semanticProblem(text));
          }
        }
      }
    }
    throw new IllegalStateException("all attributes are sound");
  }

  String driver() {
    return driver;
  }

  boolean allowMultipleAllocations() {
    return allowMultipleAllocations;
  }

  /** Returns the device as the map that cel-go sees. */
  public MapValue all(EvaluationMeter work) {
    MapValue known = all;
    if (known == null) {
      known =
          MapValue.ofDevice(
              MapValue.Content.VALUES,
              ImmutableMap.of(
                  "driver",
                  driver,
                  "allowMultipleAllocations",
                  allowMultipleAllocations,
                  "attributes",
                  domains(AttributeName.Kind.ATTRIBUTE, work),
                  "capacity",
                  domains(AttributeName.Kind.CAPACITY, work)),
              false);
      all = known;
    }
    return known;
  }

  /** Returns the same view for the programs of another compiler, whose numbers are others. */
  public DeviceView withoutNumbers() {
    return new DeviceView(driver, allowMultipleAllocations, attributes, capacity, checked);
  }

  /** Adds its memory in bytes to a sum, including later memory and that of its cache entry. */
  void countIn(LongAdder sum, long beside) {
    long known = beside + BYTES + BYTES_PER_NUMBER * byNumber.length;
    for (Object value : byNumber) {
      known += value == null ? 0 : BYTES_PER_VALUE;
    }
    known += recent == null ? 0 : BYTES_PER_RECENT * RECENT;
    known += attributeDomains == null ? 0 : bytesOf(attributes);
    known += capacityDomains == null ? 0 : bytesOf(capacity);
    bytes = sum;
    sum.add(known);
  }

  private void count(long more) {
    LongAdder sum = bytes;
    if (sum != null) {
      sum.add(more);
    }
  }

  private static long bytesOf(Map<?, ?> values) {
    return BYTES_OF_MAPS + BYTES_PER_VALUE * values.size();
  }

  /** Returns the attributes or the capacities, by domain. */
  MapValue domains(AttributeName.Kind kind, EvaluationMeter work) {
    MapValue known = kind == AttributeName.Kind.ATTRIBUTE ? attributeDomains : capacityDomains;
    return known == null ? makeDomains(kind, work) : known;
  }

  /** Makes these maps once, since as a key each is equal to itself only. */
  private synchronized MapValue makeDomains(AttributeName.Kind kind, EvaluationMeter work) {
    MapValue known = kind == AttributeName.Kind.ATTRIBUTE ? attributeDomains : capacityDomains;
    if (known != null) {
      return known;
    } else if (kind == AttributeName.Kind.ATTRIBUTE) {
      MapValue made =
          byDomain(
              attributes,
              work,
              (name, value) -> valueOf(name.id(), value, true),
              MapValue.Content.ATTRIBUTES);
      attributeDomains = made;
      count(bytesOf(attributes));
      return made;
    }
    MapValue made =
        byDomain(
            capacity,
            work,
            (name, value) -> valueOf(value, name.domain() + '/' + name.id()),
            MapValue.Content.CAPACITIES);
    capacityDomains = made;
    count(bytesOf(capacity));
    return made;
  }

  private <V> MapValue byDomain(
      Map<String, V> values,
      EvaluationMeter work,
      BiFunction<QualifiedName, V, Object> toValue,
      MapValue.Content content) {
    Map<String, Map<String, Object>> domains = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          work.spend(UNITS_PER_VALUE);
          QualifiedName qualified = QualifiedName.of(driver, name);
          domains
              .computeIfAbsent(qualified.domain(), any -> new LinkedHashMap<>())
              .put(qualified.id(), toValue.apply(qualified, value));
        });
    boolean newer = !checked;
    return MapValue.withDefault(
        content == MapValue.Content.ATTRIBUTES
            ? MapValue.Content.ATTRIBUTE_DOMAINS
            : MapValue.Content.CAPACITY_DOMAINS,
        Maps.transformValues(domains, map -> MapValue.ofDevice(content, map, newer)),
        newer);
  }

  /**
   * Returns the value of a name, or null if the device does not have it. That of a domain is true:
   * it has attributes or capacities there.
   */
  public @Nullable Object value(AttributeName name) {
    @Nullable Object[] known = byNumber;
    int number = name.number();
    Object value = number < known.length ? known[number] : null;
    if (value == null) {
      value = number == AttributeName.UNNUMBERED ? recent(name) : find(name);
    }
    return value == MISSING ? null : value;
  }

  private Object find(AttributeName name) {
    boolean keep = isKept();
    Object value = lookUp(name, keep);
    if (keep) {
      keep(name.number(), value);
    }
    return value;
  }

  private void keep(int number, Object value) {
    @Nullable Object[] known = byNumber;
    if (number >= known.length) {
      int length = number + 8;
      count(BYTES_PER_NUMBER * (length - known.length));
      known = Arrays.copyOf(known, length);
      byNumber = known;
    }
    known[number] = value;
    count(BYTES_PER_VALUE);
  }

  private Object recent(AttributeName name) {
    @Nullable Found[] known = recent;
    int place = name.hashCode() & RECENT - 1;
    Found last = known == null ? null : known[place];
    return last != null && last.name.equals(name) ? last.value : findRecent(name, place);
  }

  private Object findRecent(AttributeName name, int place) {
    Object value = lookUp(name, false);
    if (isKept()) {
      @Nullable Found[] known = recent;
      if (known == null) {
        known = new Found[RECENT];
        recent = known;
        count(BYTES_PER_RECENT * RECENT);
      }
      known[place] = new Found(name, value);
    }
    return value;
  }

  private boolean isKept() {
    if (found < UNKEPT) {
      found++;
      return false;
    }
    return true;
  }

  private Object lookUp(AttributeName name, boolean keep) {
    if (name.equals(AttributeName.DRIVER)) {
      return keep ? driver.intern() : driver;
    }
    boolean isAttribute = name.kind() == AttributeName.Kind.ATTRIBUTE;
    if (name.id() == null) {
      return hasDomain(name.domain(), isAttribute ? attributes : capacity) ? true : MISSING;
    } else if (isAttribute) {
      DeviceAttribute attribute = lookUp(name, attributes);
      return attribute == null ? MISSING : valueOf(name.id(), attribute, keep);
    }
    DeviceCapacity amount = lookUp(name, capacity);
    return amount == null ? MISSING : valueOf(amount, name.withDomain());
  }

  private <V> @Nullable V lookUp(AttributeName name, Map<String, V> values) {
    V qualified = name.qualifiedIn(values);
    V unqualified = name.unqualifiedIn(driver, values);
    if (qualified == null || unqualified == null) {
      return qualified == null ? unqualified : qualified;
    }
    V last = qualified; // of two of this name, the one behind the other counts
    for (V value : values.values()) {
      last = value == qualified || value == unqualified ? value : last;
    }
    return last;
  }

  private boolean hasDomain(String domain, Map<String, ?> values) {
    for (String name : values.keySet()) {
      int slash = name.indexOf('/');
      if (slash < 0 ? domain.equals(driver) : slash == domain.length() && name.startsWith(domain)) {
        return true;
      }
    }
    return false;
  }

  private Object valueOf(DeviceCapacity amount, String name) {
    return QuantityValue.ofDevice(checked ? amount.value() : amount.value().heldSince138(), name);
  }

  /** Returns the value of an attribute in CEL, or an error if it is not sound. */
  private Object valueOf(String id, DeviceAttribute attribute, boolean keep) {
    if (!checked && !isSound(attribute)) {
      return new EvalError(
          "attribute " + id + ": value is invalid or its type is not supported by this version");
    }
    return valueOf(attribute, keep);
  }

  /** Kubernetes 1.38 takes an empty list for a value of a type that it does not know. */
  private static boolean isSound(DeviceAttribute attribute) {
    if (attribute instanceof DeviceAttribute.VersionValue
        || attribute instanceof DeviceAttribute.VersionValues) {
      for (String text : attribute.texts()) {
        if (SemVer.tryParse(text).isEmpty()) {
          return false;
        }
      }
    }
    return !(attribute instanceof DeviceAttribute.NoValue) && attribute.valueCount() > 0;
  }

  /**
   * Returns the value of a sound attribute in CEL. If {@code keep}, it will be compared often: its
   * texts are then those of programs, so that equal texts mostly are one object.
   */
  private static Object valueOf(DeviceAttribute attribute, boolean keep) {
    if (attribute instanceof DeviceAttribute.StringValue string) {
      return keep ? string.value().intern() : string.value();
    } else if (attribute instanceof DeviceAttribute.IntValue number) {
      return number.value();
    } else if (attribute instanceof DeviceAttribute.BoolValue bool) {
      return bool.value();
    } else if (attribute instanceof DeviceAttribute.VersionValue version) {
      return version(version.value());
    } else if (attribute instanceof DeviceAttribute.StringValues strings) {
      return ValueList.ofDevice(
          keep ? strings.values().stream().map(String::intern).toList() : strings.values());
    } else if (attribute instanceof DeviceAttribute.IntValues numbers) {
      return ValueList.ofDevice(numbers.values());
    } else if (attribute instanceof DeviceAttribute.BoolValues bools) {
      return ValueList.ofDevice(bools.values());
    } else if (attribute instanceof DeviceAttribute.VersionValues versions) {
      List<SemVerValue> parsed = new ArrayList<>();
      for (String text : versions.values()) {
        parsed.add(version(text));
      }
      return ValueList.ofDevice(parsed);
    }
    throw new IllegalStateException("an attribute that is not sound");
  }

  private static SemVerValue version(String text) {
    return new SemVerValue(SemVer.parse(text));
  }
}
