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
  public static final MapValue EMPTY =
      new MapValue(ImmutableMap.of(), null, Content.VALUES, false, Keys.PLAIN);

  private static final CelType TYPE = MapType.create(SimpleType.DYN, SimpleType.DYN);

  private final ImmutableMap<String, Object> entries;
  private final @Nullable Object missing;
  private final Content content;
  private final boolean fresh; // created at each read, as in cel-go
  private final Keys keys;

  /** The kinds of content of a map. */
  public enum Content {
    /** Any values, such as the fields of a device. */
    VALUES("*types.nativeMap[string,interface {}]"),
    /** Attributes of one domain. */
    ATTRIBUTES("*cel.nameToAttributes"),
    /** Capacities of one domain. */
    CAPACITIES("*cel.nameToCapacity"),
    /** Domains of attributes. */
    ATTRIBUTE_DOMAINS("*cel.domainToAttributes"),
    /** Domains of capacities. */
    CAPACITY_DOMAINS("*cel.domainToCapacity");

    private final String goType;

    Content(String goType) {
      this.goType = goType;
    }

    /** Returns the type in Kubernetes 1.38. */
    public String goType() {
      return goType;
    }
  }

  /** As what a map looks for keys. */
  private enum Keys {
    /** As they are. */
    PLAIN,
    /** As texts, if what they hold is one. */
    HELD,
    /** As texts that they become by {@code string()}. */
    CONVERTED;

    @Nullable Object of(@Nullable Object key) {
      return switch (this) {
        case PLAIN -> key;
        case HELD -> text(key);
        case CONVERTED -> Texts.converted(key);
      };
    }
  }

  private MapValue(
      ImmutableMap<String, Object> entries,
      @Nullable Object missing,
      Content content,
      boolean fresh,
      Keys keys) {
    this.entries = entries;
    this.missing = missing;
    this.content = content;
    this.fresh = fresh;
    this.keys = keys;
  }

  /**
   * Creates the map of the device, or of its attributes or capacities of a domain.
   *
   * @param converts whether it looks for any key as the text that it becomes, as in Kubernetes 1.38
   */
  public static MapValue ofDevice(Content content, Map<String, Object> entries, boolean converts) {
    Keys keys = content == Content.CAPACITIES ? Keys.HELD : Keys.PLAIN;
    return new MapValue(
        ImmutableMap.copyOf(entries), null, content, true, converts ? Keys.CONVERTED : keys);
  }

  /**
   * Creates a map that returns an empty map for missing keys.
   *
   * @param converts whether it looks for any key as the text that it becomes, as in Kubernetes 1.38
   */
  public static MapValue withDefault(
      Content content, Map<String, MapValue> entries, boolean converts) {
    return new MapValue(
        ImmutableMap.copyOf(entries),
        EMPTY,
        content,
        false,
        converts ? Keys.CONVERTED : Keys.PLAIN);
  }

  /** Returns the same map as {@link MapKeys#bound} has it. */
  MapValue bound() {
    return fresh ? new MapValue(entries, missing, content, false, keys) : this;
  }

  /** Returns the kind of content. */
  public Content content() {
    return content;
  }

  /** Returns whether it becomes no value of Go, as what devices have in Kubernetes 1.38. */
  public boolean isOpaque() {
    return keys == Keys.CONVERTED && content != Content.VALUES && !entries.isEmpty();
  }

  /** Returns the default for values of missing keys, or null. */
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
    Object value = entries.get(keys.of(key));
    return value != null ? value : missing;
  }

  /** Returns the key as cel-go makes a text of it, if it does. */
  private static @Nullable Object text(@Nullable Object key) {
    Object content = key == null ? null : Values.content(key);
    return content instanceof OpaqueValue && !(content instanceof FormatValue)
        ? content.toString()
        : content;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return entries.containsKey(keys.of(key));
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
