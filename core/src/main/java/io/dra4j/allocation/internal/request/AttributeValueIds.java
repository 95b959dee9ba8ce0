package io.dra4j.allocation.internal.request;

import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.DeviceAttribute.BoolValue;
import io.dra4j.model.DeviceAttribute.BoolValues;
import io.dra4j.model.DeviceAttribute.IntValue;
import io.dra4j.model.DeviceAttribute.IntValues;
import io.dra4j.model.DeviceAttribute.NoValue;
import io.dra4j.model.DeviceAttribute.StringValue;
import io.dra4j.model.DeviceAttribute.StringValues;
import io.dra4j.model.DeviceAttribute.VersionValue;
import io.dra4j.model.DeviceAttribute.VersionValues;
import io.dra4j.model.SemVer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The values of one attribute of one device as constraints compare them: numbers that are equal if
 * and only if type and value are equal. Empty for an attribute without values.
 */
public final class AttributeValueIds {

  private static final int COMPARED_PER_UNIT = 1_024;
  private static final AttributeValueIds NONE = new AttributeValueIds(false, new int[0]);

  public final boolean scalar;
  private final int[] ids; // ascending, distinct

  private AttributeValueIds(boolean scalar, int[] ids) {
    this.scalar = scalar;
    this.ids = ids;
  }

  /** Returns the numbers, ascending. */
  public IntStream ids() {
    return Arrays.stream(ids);
  }

  /** Returns the numbers, ascending; must not be changed. */
  public int[] toArray() {
    return ids;
  }

  public int size() {
    return ids.length;
  }

  /** Returns the smallest number. */
  public int first() {
    return ids[0];
  }

  /** Returns whether the value with a number is among them. */
  public boolean contains(int id) {
    return Arrays.binarySearch(ids, id) >= 0;
  }

  public boolean isEmpty() {
    return ids.length == 0;
  }

  /** Returns whether both have exactly the same values. */
  public boolean sameAs(AttributeValueIds other) {
    return this == other || Arrays.equals(ids, other.ids);
  }

  /** Returns the values that both have, or null if there are none. */
  @Nullable
  public AttributeValueIds intersect(AttributeValueIds other, Budget budget)
      throws BudgetExceededException {
    if (ids.length == 1 && other.ids.length == 1) {
      return ids[0] == other.ids[0] ? this : null; // the common case, without garbage
    }
    budget.spend(unitsWith(other));
    int[] common = new int[Math.min(ids.length, other.ids.length)];
    int n = 0;
    for (int i = 0, j = 0; i < ids.length && j < other.ids.length; ) {
      if (ids[i] == other.ids[j]) {
        common[n++] = ids[i];
        i++;
        j++;
      } else if (ids[i] < other.ids[j]) {
        i++;
      } else {
        j++;
      }
    }
    return n == 0 ? null : new AttributeValueIds(false, Arrays.copyOf(common, n));
  }

  /** Returns whether both have a value in common. */
  public boolean intersects(AttributeValueIds other, Budget budget) throws BudgetExceededException {
    budget.spend(unitsWith(other));
    for (int i = 0, j = 0; i < ids.length && j < other.ids.length; ) {
      if (ids[i] == other.ids[j]) {
        return true;
      } else if (ids[i] < other.ids[j]) {
        i++;
      } else {
        j++;
      }
    }
    return false;
  }

  /** The cost of comparing long lists; 0 for lists of usual length. */
  private int unitsWith(AttributeValueIds other) {
    return (ids.length + other.ids.length) / COMPARED_PER_UNIT;
  }

  /** Gives equal values equal numbers, for one search. */
  public static final class Interner {

    private static final Pattern LOOKS_LIKE_ANOTHER_TYPE =
        Pattern.compile("true|false|-?[0-9]+|[0-9]+\\.[0-9]+\\.[0-9]+.*");

    private static final int VALUES_PER_UNIT = 16;

    private final boolean versionsByText;
    private final List<DeviceAttribute> byId = new ArrayList<>();
    private final Map<DeviceAttribute, AttributeValueIds> scalars = new HashMap<>();

    /**
     * Creates an interner.
     *
     * @param versionsByText whether versions are equal if their strings are equal. Otherwise they
     *     are equal if neither has precedence, which ignores build metadata, and a string that is
     *     not a version is no value
     */
    public Interner(boolean versionsByText) {
      this.versionsByText = versionsByText;
    }

    /**
     * Returns the values of an attribute.
     *
     * @throws BudgetExceededException if the budget is used up
     */
    public AttributeValueIds valuesOf(DeviceAttribute attribute, Budget budget)
        throws BudgetExceededException {
      if (attribute instanceof IntValues list) {
        return list(list.values(), IntValue::new, budget);
      } else if (attribute instanceof BoolValues list) {
        return list(list.values(), BoolValue::new, budget);
      } else if (attribute instanceof StringValues list) {
        return list(list.values(), StringValue::new, budget);
      } else if (attribute instanceof VersionValues list) {
        return versionsByText || areVersions(list.values())
            ? list(list.values(), this::version, budget)
            : NONE;
      } else if (attribute instanceof NoValue) {
        return NONE;
      } else if (attribute instanceof VersionValue version && !versionsByText) {
        return areVersions(List.of(version.value())) ? scalar(version(version.value())) : NONE;
      } else {
        return scalar(attribute);
      }
    }

    private static boolean areVersions(List<String> texts) {
      return texts.stream().allMatch(text -> SemVer.tryParse(text).isPresent());
    }

    private DeviceAttribute version(String text) {
      int build = text.indexOf('+');
      return new VersionValue(versionsByText || build < 0 ? text : text.substring(0, build));
    }

    private AttributeValueIds scalar(DeviceAttribute value) {
      AttributeValueIds known = scalars.get(value);
      if (known == null) {
        known = new AttributeValueIds(true, new int[] {byId.size()});
        byId.add(value);
        scalars.put(value, known);
      }
      return known;
    }

    private <T> AttributeValueIds list(
        List<T> values, Function<T, DeviceAttribute> scalar, Budget budget)
        throws BudgetExceededException {
      int[] ids = new int[values.size()];
      for (int i = 0; i < ids.length; i++) {
        BudgetTicks.spend(budget, i, VALUES_PER_UNIT);
        ids[i] = idOf(scalar.apply(values.get(i)));
      }
      return new AttributeValueIds(false, sorted(ids));
    }

    /** The numbers in order, each once. */
    private static int[] sorted(int[] ids) {
      Arrays.sort(ids);
      int n = 0;
      for (int id : ids) {
        if (n == 0 || ids[n - 1] != id) {
          ids[n++] = id;
        }
      }
      return Arrays.copyOf(ids, n);
    }

    private int idOf(DeviceAttribute scalar) {
      return scalar(scalar).first();
    }

    /**
     * Returns the value with a number for messages; strings that look like numbers are in quotes.
     */
    public String textOf(int id) {
      DeviceAttribute value = byId.get(id);
      String text = bareTextOf(value);
      if (value instanceof StringValue) {
        boolean isAmbiguous = LOOKS_LIKE_ANOTHER_TYPE.matcher(text).matches();
        return isAmbiguous ? '"' + text + '"' : text;
      }
      return text;
    }

    /** Returns whether two different values have the same text, like 1 and "1". */
    public boolean looksLike(int id, int other) {
      return id != other && bareTextOf(byId.get(id)).equals(bareTextOf(byId.get(other)));
    }

    private static String bareTextOf(DeviceAttribute value) {
      if (value instanceof StringValue string) {
        return string.value();
      } else if (value instanceof VersionValue version) {
        return version.value();
      } else if (value instanceof IntValue number) {
        return Long.toString(number.value());
      }
      return Boolean.toString(((BoolValue) value).value());
    }
  }
}
