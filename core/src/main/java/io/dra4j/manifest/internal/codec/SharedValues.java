package io.dra4j.manifest.internal.codec;

import com.fasterxml.jackson.core.JsonFactory;
import io.dra4j.manifest.internal.json.Footprint;
import io.dra4j.manifest.internal.json.JsonText;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceAttribute.IntValue;
import io.dra4j.model.DeviceAttribute.StringValue;
import io.dra4j.model.DeviceAttribute.VersionValue;
import io.dra4j.model.Quantity;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shares equal strings, quantities and attribute values of one read, up to 9 MiB of them. A cluster
 * of a thousand equal servers repeats its driver, attribute and device names a thousand times.
 * Counts the memory of values that are not shared.
 */
public final class SharedValues {

  private static final int MAX_TEXT_LENGTH = 64; // the API server's limit of attribute values

  /** The memory of the strings, of the quantities, and of the attributes, each. */
  private static final long MAX_BYTES = 3 * 1024 * 1024;

  /** The bytes of JSON after which the cached names of fields are discarded and collected again. */
  private static final long MAX_NAMED_BYTES = 4 * 1024 * 1024;

  private static final int ENTRY = 56;
  private static final int QUANTITY = 64;
  private static final int ATTRIBUTE = 24;

  /** The most digits that an exponent of three characters can expand to. */
  private static final int WRITTEN_OUT = 450;

  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Quantity> quantities = new HashMap<>();

  // Keys that can be ordered, so that no choice of values makes the tables slow.
  private final Map<Long, DeviceAttribute> integers = new HashMap<>();
  private final Map<String, DeviceAttribute> strings = new HashMap<>();
  private final Map<String, DeviceAttribute> versions = new HashMap<>();

  private JsonFactory names = JsonText.factoryOfFile();
  private long namedBytes;
  private long attributeBytes;
  private long textBytes;
  private long quantityBytes;

  /**
   * Returns a factory of parsers that share the names of fields, which are most of the work for
   * small objects.
   *
   * @param bytes the size of the text to parse
   */
  public JsonFactory names(long bytes) {
    namedBytes += bytes;
    if (namedBytes > MAX_NAMED_BYTES) {
      names = JsonText.factoryOfFile();
      namedBytes = bytes;
    }
    return names;
  }

  /** The string, shared if it is short. */
  public String text(String text, MemoryMeter kept) {
    if (text.length() > MAX_TEXT_LENGTH) {
      kept.add(Footprint.text(text));
      return text;
    }
    String known = texts.get(text);
    if (known != null) {
      return known;
    }
    if (textBytes < MAX_BYTES) {
      textBytes += ENTRY + Footprint.text(text);
      texts.put(text, text);
    } else {
      kept.add(Footprint.text(text));
    }
    return text;
  }

  /** The quantity, or {@code null} if the string is not a quantity. */
  @Nullable
  public Quantity quantity(String text, MemoryMeter kept) {
    Quantity known = quantities.get(text);
    if (known == null) {
      // Kubernetes ignores white space around a quantity (Quantity.UnmarshalJSON).
      known = Quantity.tryParse(text.strip()).orElse(null);
      if (known != null && text.length() <= MAX_TEXT_LENGTH && quantityBytes < MAX_BYTES) {
        quantityBytes += ENTRY + Footprint.text(text) + bytesOf(text);
        quantities.put(text, known);
      } else if (known != null) {
        kept.add(bytesOf(text));
      }
    }
    return known;
  }

  /**
   * The value of an attribute, shared if it is a number or a short string that is shared already.
   */
  public DeviceAttribute attribute(DeviceAttribute value) {
    if (value instanceof IntValue number) {
      return shared(integers, number.value(), value);
    } else if (value instanceof StringValue text && text.value().length() <= MAX_TEXT_LENGTH) {
      return shared(strings, text.value(), value);
    } else if (value instanceof VersionValue text && text.value().length() <= MAX_TEXT_LENGTH) {
      return shared(versions, text.value(), value);
    }
    return value;
  }

  private <K> DeviceAttribute shared(
      Map<K, DeviceAttribute> known, K key, DeviceAttribute attribute) {
    if (attributeBytes >= MAX_BYTES) {
      return known.getOrDefault(key, attribute);
    }
    DeviceAttribute earlier = known.putIfAbsent(key, attribute);
    if (earlier == null) {
      attributeBytes += ENTRY + ATTRIBUTE;
      return attribute;
    }
    return earlier;
  }

  private static long bytesOf(String quantity) {
    boolean isScaled = quantity.indexOf('e') >= 0 || quantity.indexOf('E') >= 0;
    return (long) QUANTITY + quantity.length() + (isScaled ? WRITTEN_OUT : 0);
  }
}
