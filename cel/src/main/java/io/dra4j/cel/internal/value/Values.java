package io.dra4j.cel.internal.value;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.common.values.OpaqueValue;
import io.dra4j.cel.internal.text.GoNumbers;
import io.dra4j.cel.internal.text.GoText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Types, order and size of values, after {@code common/types} of cel-go. Values are those of
 * cel-java: {@code Long}, {@link UnsignedLong}, {@code Double}, {@code String}, {@code Boolean},
 * {@link CelByteString}, {@link NullValue}, {@link Duration}, {@link Instant}, lists, maps, {@link
 * Optional}, types and opaque values.
 */
public final class Values {

  private static final String GO_VALUE = "cel.dev/cel-go/common/types/ref.Val";

  /** The result of {@link #compare} for values that have no order. */
  static final int NO_ORDER = 2;

  /** The result of {@link #compare} if NaN is among the values. */
  public static final int NOT_A_NUMBER = 3;

  /** The marker of a missing value: in an optional, or for a missing key. */
  public static final Object ABSENT = new Object();

  private static final double TWO_63 = 0x1p63;
  private static final double TWO_64 = 0x1p64;

  private static final ImmutableMap<Class<?>, CelType> TYPES =
      ImmutableMap.<Class<?>, CelType>builder()
          .put(Long.class, SimpleType.INT)
          .put(UnsignedLong.class, SimpleType.UINT)
          .put(Double.class, SimpleType.DOUBLE)
          .put(Boolean.class, SimpleType.BOOL)
          .put(String.class, SimpleType.STRING)
          .put(NullValue.class, SimpleType.NULL_TYPE)
          .put(Duration.class, SimpleType.DURATION)
          .put(Instant.class, SimpleType.TIMESTAMP)
          .put(Timestamps.Zoned.class, SimpleType.TIMESTAMP)
          .buildOrThrow();

  private static final CelType LIST = ListType.create(SimpleType.DYN);
  private static final CelType MAP = MapType.create(SimpleType.DYN, SimpleType.DYN);
  private static final CelType OPTIONAL = OptionalType.create(SimpleType.DYN);
  private static final CelType TYPE = TypeType.create(SimpleType.DYN);

  private Values() {}

  /** Returns the type at run time, without element types. */
  public static CelType type(Object value) {
    CelType type = TYPES.get(value.getClass());
    if (type != null) {
      return type;
    } else if (value instanceof List) {
      return LIST;
    } else if (value instanceof Map) {
      return MAP;
    } else if (value instanceof CelByteString) {
      return SimpleType.BYTES;
    } else if (value instanceof Optional) {
      return OPTIONAL;
    } else if (value instanceof OpaqueValue opaque) {
      return opaque.celType();
    } else if (value instanceof Message message) {
      return message.type().type();
    }
    return TYPE;
  }

  /** Returns the name of the type. */
  public static String typeName(Object value) {
    return type(value).name();
  }

  /** Returns the type as cel-go writes it, with those of elements, which are any. */
  public static String typeText(Object value) {
    return text(type(value));
  }

  /** Returns a type as cel-go writes it, with those of elements, which are any. */
  static String text(CelType type) {
    return switch (type.name()) {
      case "list" -> "list(dyn)";
      case "map" -> "map(dyn, dyn)";
      case "optional_type" -> "optional_type(dyn)";
      default -> type.name();
    };
  }

  /** Returns the name of the Go type that cel-go keeps a value in, as {@code %T} writes it. */
  public static String goType(@Nullable Object value) {
    if (value == null || value instanceof EvalError) {
      return "*types.Err";
    }
    String name = typeName(value);
    return switch (name) {
      case "int" -> "types.Int";
      case "uint" -> "types.Uint";
      case "double" -> "types.Double";
      case "bool" -> "types.Bool";
      case "string" -> "types.String";
      case "bytes" -> "types.Bytes";
      case "null_type" -> "types.Null";
      case "google.protobuf.Duration" -> "types.Duration";
      case "google.protobuf.Timestamp" -> "types.Timestamp";
      case "optional_type" -> "*types.Optional";
      case "type" -> "*types.Type";
      case "list" -> value instanceof ConcatenatedList ? "*types.concatList" : "*types.baseList";
      case "map" -> isOfDomains(value) ? "cel.mapper" : "*types.baseMap";
      case "kubernetes.Quantity" ->
          value instanceof QuantityValue quantity && quantity.isCalculated()
              ? "*cel.Quantity"
              : "cel.Quantity";
      default -> value instanceof OpaqueValue ? "cel." + goName(name) : "*types.protoObj";
    };
  }

  /**
   * Returns the type of a value in cel-go 0.33, where lists and maps report their element types.
   */
  public static String newerGoType(@Nullable Object value) {
    if (value instanceof JsonContainers.JsonList || value instanceof JsonContainers.JsonMap) {
      return goType(value);
    } else if (value instanceof MapValue map) {
      return map.content().goType();
    } else if (value instanceof Map) {
      return "*types.nativeMap[" + GO_VALUE + "," + GO_VALUE + "]";
    } else if (value instanceof List<?> list && !(value instanceof ConcatenatedList)) {
      return "*types.sliceList[" + goElement(list) + "]";
    }
    return goType(value);
  }

  private static String goElement(List<?> list) {
    boolean ofDevice = list instanceof ValueList values && values.isOfDevice();
    if (!ofDevice && !(list instanceof ImmutableList)) {
      return GO_VALUE;
    }
    Object first = list.isEmpty() ? "" : list.get(0);
    if (first instanceof Long) {
      return ofDevice ? "int64" : "int";
    }
    return first instanceof String ? "string" : first instanceof Boolean ? "bool" : "uint8";
  }

  /** Returns whether its type has the operator {@code +}. */
  public static boolean canBeAdded(@Nullable Object value) {
    return isReceiver(value)
        || value instanceof Number
        || value instanceof List
        || value instanceof CelByteString;
  }

  /** Returns whether a value is the map of domains, which has a type in Kubernetes. */
  private static boolean isOfDomains(Object map) {
    return map instanceof MapValue values && values.defaultValue() != null;
  }

  /**
   * Returns whether cel-go asks a value itself for functions that its type has no other way to;
   * such a value does not report their names when it has none of them.
   */
  public static boolean isReceiver(@Nullable Object value) {
    return value instanceof String || value instanceof Duration || value instanceof Temporal;
  }

  /** Returns the Go name of a type of Kubernetes. */
  static String goName(String type) {
    String name = type.substring(type.indexOf('.') + 1);
    return name.equals("NamedFormat") ? "Format" : name;
  }

  /** Returns a key in messages, as {@code %v} writes it. */
  public static String goText(@Nullable Object key) {
    return key instanceof Double number ? GoNumbers.shortest(number) : String.valueOf(key);
  }

  /** Returns whether values of its type have an order. */
  public static boolean isComparable(Object value) {
    return value instanceof Number
        || value instanceof String
        || value instanceof Boolean
        || value instanceof CelByteString
        || value instanceof Duration
        || value instanceof Temporal;
  }

  /** Returns −1, 0 or 1, {@link #NO_ORDER} or {@link #NOT_A_NUMBER}. */
  public static int compare(Object a, Object b) {
    if (a instanceof Long x) {
      return compareLong(x, b);
    } else if (a instanceof String x) {
      return b instanceof String y ? GoText.order(x, y) : NO_ORDER;
    } else if (a instanceof Double x) {
      return compareDouble(x, b);
    } else if (a instanceof UnsignedLong x) {
      return compareUnsigned(x.longValue(), b);
    } else if (a instanceof Boolean x) {
      return b instanceof Boolean y ? Boolean.compare(x, y) : NO_ORDER;
    } else if (a instanceof Duration x) {
      return b instanceof Duration y ? Integer.signum(x.compareTo(y)) : NO_ORDER;
    } else if (a instanceof Temporal x) {
      return b instanceof Temporal y
          ? Integer.signum(Timestamps.instant(x).compareTo(Timestamps.instant(y)))
          : NO_ORDER;
    } else if (a instanceof CelByteString x && b instanceof CelByteString y) {
      return new Order().compare(x, y);
    }
    return NO_ORDER;
  }

  private static int compareLong(long a, Object b) {
    if (b instanceof Long y) {
      return Long.compare(a, y);
    } else if (b instanceof Double y) {
      return negate(compareDouble(y, (Long) a));
    } else if (b instanceof UnsignedLong y) {
      return a < 0 || y.longValue() < 0 ? -1 : Long.compare(a, y.longValue());
    }
    return NO_ORDER;
  }

  private static int compareUnsigned(long a, Object b) {
    if (b instanceof UnsignedLong y) {
      return Integer.signum(Long.compareUnsigned(a, y.longValue()));
    } else if (b instanceof Long y) {
      return y < 0 || a < 0 ? 1 : Long.compare(a, y);
    } else if (b instanceof Double y) {
      return negate(compareDouble(y, UnsignedLong.fromLongBits(a)));
    }
    return NO_ORDER;
  }

  private static int compareDouble(double a, Object b) {
    if (!(b instanceof Number)) {
      return Double.isNaN(a) ? NOT_A_NUMBER : NO_ORDER;
    } else if (Double.isNaN(a) || (b instanceof Double y && y.isNaN())) {
      return NOT_A_NUMBER;
    } else if (b instanceof Double y) {
      return numberOrder(a, y);
    } else if (b instanceof Long y) {
      return a < -TWO_63 ? -1 : a > TWO_63 ? 1 : numberOrder(a, (double) y);
    } else if (b instanceof UnsignedLong y) {
      return a < 0 ? -1 : a > TWO_64 ? 1 : numberOrder(a, y.doubleValue());
    }
    return NO_ORDER;
  }

  /** Converts a whole number that fits. */
  public static UnsignedLong toUnsigned(double value) {
    return value < TWO_63
        ? UnsignedLong.fromLongBits((long) value)
        : UnsignedLong.fromLongBits((long) (value - TWO_63) ^ Long.MIN_VALUE);
  }

  private static int numberOrder(double a, double b) {
    return a < b ? -1 : a > b ? 1 : 0; // the zeros are equal
  }

  private static int negate(int order) {
    return order > 1 ? order : -order;
  }

  /** Returns the content of an optional, also of nested ones, or the value itself. */
  public static Object content(Object value) {
    Object content = value;
    while (content instanceof Optional<?> optional && optional.isPresent()) {
      content = optional.get();
    }
    return content;
  }

  /** Returns the result of cel-go's {@code Value}: a type's name, an optional's content or null. */
  public static Object ofGo(Object value) {
    Object content = content(value);
    if (content instanceof CelType type) {
      return type.name();
    }
    return content instanceof Optional ? NullValue.NULL_VALUE : content;
  }

  /** Returns the number of characters, or some number above a limit. */
  public static long size(String text, long limit) {
    return text.length() > 2 * limit ? limit + 1 : Texts.length(text);
  }

  /** Returns the smaller of two sizes, without going through a text much longer than the other. */
  public static long smallerSize(@Nullable Object a, @Nullable Object b) {
    if (a instanceof String x && b instanceof String y) {
      if (x.length() >= 2L * y.length()) {
        return Texts.length(y);
      } else if (y.length() >= 2L * x.length()) {
        return Texts.length(x);
      }
      return Math.min(Texts.length(x), Texts.length(y));
    } else if (a instanceof String x) {
      long size = size(b);
      return Math.min(size(x, size), size);
    } else if (b instanceof String) {
      return smallerSize(b, a);
    }
    return Math.min(size(a), size(b));
  }

  /** Returns the size for costs: characters, bytes, elements, or 1 for what has no size. */
  public static long size(@Nullable Object value) {
    if (value instanceof String text) {
      return Texts.length(text);
    } else if (value instanceof Number || value instanceof Boolean || value instanceof EvalError) {
      return 1; // the commonest first, since they are distinguished fast
    } else if (value instanceof List<?> list) {
      return list instanceof ConcatenatedList concatenated ? concatenated.length() : list.size();
    } else if (value instanceof Map<?, ?> map) {
      return map.size();
    } else if (value instanceof CelByteString bytes) {
      return bytes.size();
    } else if (value instanceof IpValue ip) {
      return ip.address().getAddress().length;
    } else if (value instanceof CidrValue range) {
      return (range.bits() + 7L) / 8;
    } else if (value instanceof Optional<?> optional && optional.isPresent()) {
      return size(optional.get());
    }
    return 1;
  }
}
