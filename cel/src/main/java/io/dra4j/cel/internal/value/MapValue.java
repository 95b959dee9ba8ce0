package io.dra4j.cel.internal.value;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelValue;
import dev.cel.common.values.OpaqueValue;
import dev.cel.common.values.SelectableValue;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A map with text keys inside CEL. It is a {@link CelValue}, because cel-java copies every other
 * map on each access.
 *
 * <p>A map may answer every look-up of a key that it does not have with a default, as {@code
 * device.attributes} and {@code device.capacity} do: in Kubernetes, indexing, {@code has()} and
 * optional indexing find an empty map for a missing domain, while {@code in}, {@code size()} and
 * iteration see only the keys that are there. {@link #containsKey} is the truth for the latter.
 */
@SuppressWarnings("Immutable") // the values are immutable, but of many types
public final class MapValue extends CelValue
    implements Map<String, Object>, SelectableValue<String> {

  /** A map without entries and without default. */
  public static final MapValue EMPTY = new MapValue(ImmutableMap.of(), null, false, false);

  private static final CelType TYPE = MapType.create(SimpleType.DYN, SimpleType.DYN);

  private final ImmutableMap<String, Object> entries;
  private final @Nullable Object missing;
  private final boolean ofDevice; // made anew each time it is read, as in cel-go
  private final boolean keysAsTexts;

  private MapValue(
      ImmutableMap<String, Object> entries,
      @Nullable Object missing,
      boolean ofDevice,
      boolean keysAsTexts) {
    this.entries = entries;
    this.missing = missing;
    this.ofDevice = ofDevice;
    this.keysAsTexts = keysAsTexts;
  }

  /** Makes the map of the device, or of its attributes of a domain. */
  public static MapValue ofDevice(Map<String, Object> entries) {
    return new MapValue(ImmutableMap.copyOf(entries), null, true, false);
  }

  /** Makes the map of the capacities of a domain. In it, cel-go looks for any key as a text. */
  public static MapValue ofCapacities(Map<String, Object> entries) {
    return new MapValue(ImmutableMap.copyOf(entries), null, true, true);
  }

  /** Makes a map that answers with an empty one for missing keys. */
  public static MapValue withDefault(Map<String, MapValue> entries) {
    return new MapValue(ImmutableMap.copyOf(entries), EMPTY, false, false);
  }

  /** The same map as {@link MapKeys#bound} has it. */
  MapValue bound() {
    return ofDevice ? new MapValue(entries, missing, false, keysAsTexts) : this;
  }

  /** What stands for values of missing keys, or null. */
  public @Nullable Object defaultValue() {
    return missing;
  }

  @Override
  public Object value() {
    return this;
  }

  @Override
  public boolean isZeroValue() {
    return entries.isEmpty();
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  @Override
  public Object select(String key) {
    Object value = get(key);
    if (value == null) {
      throw CelAttributeNotFoundException.of("no such key: " + key);
    }
    return value;
  }

  @Override
  public Optional<Object> find(String key) {
    return Optional.ofNullable(get(key));
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    Object value = entries.get(keysAsTexts ? text(key) : key);
    return value != null ? value : missing;
  }

  /** The key as cel-go makes a text of it, if it does. */
  private static @Nullable Object text(@Nullable Object key) {
    Object content = key == null ? null : Values.content(key);
    return content instanceof OpaqueValue && !(content instanceof FormatValue)
        ? content.toString()
        : content;
  }

  /** Returns the value of a key that is there, or null. */
  public @Nullable Object entry(String key) {
    return entries.get(key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return entries.containsKey(keysAsTexts ? text(key) : key);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  @Override
  public boolean containsValue(@Nullable Object value) {
    return entries.containsValue(value);
  }

  @Override
  public ImmutableSet<String> keySet() {
    return entries.keySet();
  }

  @Override
  public Collection<Object> values() {
    return entries.values();
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return entries.entrySet();
  }

  @Override
  public Object put(String key, Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Object remove(@Nullable Object key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putAll(Map<? extends String, ? extends Object> map) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void clear() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return entries.equals(other);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
