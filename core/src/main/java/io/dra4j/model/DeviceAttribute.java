package io.dra4j.model;

import io.dra4j.common.PrintableText;
import io.dra4j.internal.Checks;
import java.util.List;

/**
 * The value of one device attribute: a scalar, or (KEP-5491) a list of scalars of one type.
 *
 * <p>Values of different types are never equal, not even {@code 1} and {@code "1"}. Versions are
 * kept as strings: constraints compare the strings, and a string that is not a semantic version is
 * an error only if a selector reads it.
 */
public sealed interface DeviceAttribute {

  /**
   * {@return the number of values, which is 1 unless this is a list; the API server allows 48 in
   * all attributes of a device together (ResourceSliceMaxAttributeValuesPerDevice)}
   */
  default int valueCount() {
    return 1;
  }

  /**
   * {@return the strings of the attribute, or versions as they are written; none for numbers and
   * Booleans} The API server allows 64 bytes for each (DeviceAttributeMaxValueLength).
   */
  default List<String> texts() {
    return List.of();
  }

  /**
   * A 64-bit integer.
   *
   * @param value the number
   */
  record IntValue(long value) implements DeviceAttribute {

    /** The number. */
    @Override
    public String toString() {
      return String.valueOf(value);
    }
  }

  /**
   * A Boolean.
   *
   * @param value the value
   */
  record BoolValue(boolean value) implements DeviceAttribute {

    /** {@code true} or {@code false}. */
    @Override
    public String toString() {
      return String.valueOf(value);
    }
  }

  /**
   * A string; the API server allows at most 64 bytes.
   *
   * @param value the string
   */
  record StringValue(String value) implements DeviceAttribute {

    /** Rejects null. {@inheritDoc} */
    public StringValue {
      Checks.value("StringValue.value", value);
    }

    @Override
    public List<String> texts() {
      return List.of(value);
    }

    /** The string in double quotes. */
    @Override
    public String toString() {
      return '"' + PrintableText.of(value) + '"';
    }
  }

  /**
   * A semantic version, see {@link SemVer}.
   *
   * @param value the version as written
   */
  record VersionValue(String value) implements DeviceAttribute {

    /** Rejects null. {@inheritDoc} */
    public VersionValue {
      Checks.value("VersionValue.value", value);
    }

    @Override
    public List<String> texts() {
      return List.of(value);
    }

    /** The version as it is written, with {@code v} before it. */
    @Override
    public String toString() {
      return "v" + PrintableText.of(value);
    }
  }

  /**
   * A list of integers.
   *
   * @param values the numbers, in the order in which they were written
   */
  record IntValues(List<Long> values) implements DeviceAttribute {
    /** Copies the list. {@inheritDoc} */
    public IntValues {
      values = Checks.list("IntValues.values", values);
    }

    @Override
    public int valueCount() {
      return values.size();
    }

    /** The numbers in brackets. */
    @Override
    public String toString() {
      return values.toString();
    }
  }

  /**
   * A list of Booleans.
   *
   * @param values the values, in the order in which they were written
   */
  record BoolValues(List<Boolean> values) implements DeviceAttribute {
    /** Copies the list. {@inheritDoc} */
    public BoolValues {
      values = Checks.list("BoolValues.values", values);
    }

    @Override
    public int valueCount() {
      return values.size();
    }

    /** The values in brackets. */
    @Override
    public String toString() {
      return values.toString();
    }
  }

  /**
   * A list of strings.
   *
   * @param values the strings, in the order in which they were written
   */
  record StringValues(List<String> values) implements DeviceAttribute {
    /** Copies the list. {@inheritDoc} */
    public StringValues {
      values = Checks.list("StringValues.values", values);
    }

    @Override
    public int valueCount() {
      return values.size();
    }

    @Override
    public List<String> texts() {
      return values;
    }

    /** The strings in double quotes, in brackets. */
    @Override
    public String toString() {
      return values.stream().map(StringValue::new).toList().toString();
    }
  }

  /**
   * A list of semantic versions.
   *
   * @param values the versions as written
   */
  record VersionValues(List<String> values) implements DeviceAttribute {
    /** Copies the list. {@inheritDoc} */
    public VersionValues {
      values = Checks.list("VersionValues.values", values);
    }

    @Override
    public int valueCount() {
      return values.size();
    }

    @Override
    public List<String> texts() {
      return values;
    }

    /** The versions as they are written, in brackets. */
    @Override
    public String toString() {
      return values.stream().map(VersionValue::new).toList().toString();
    }
  }

  /** No value or an unknown type; it meets no constraint, and all selectors fail on its device. */
  record NoValue() implements DeviceAttribute {

    /** {@code no value}. */
    @Override
    public String toString() {
      return "no value";
    }
  }

  /**
   * {@return an integer attribute}
   *
   * @param value the number
   */
  static DeviceAttribute of(long value) {
    return new IntValue(value);
  }

  /**
   * {@return a Boolean attribute}
   *
   * @param value the value
   */
  static DeviceAttribute of(boolean value) {
    return new BoolValue(value);
  }

  /**
   * {@return a string attribute}
   *
   * @param value the string
   */
  static DeviceAttribute of(String value) {
    return new StringValue(value);
  }

  /**
   * {@return a version attribute}
   *
   * @param text a semantic version such as {@code 1.2.3}
   */
  static DeviceAttribute version(String text) {
    return new VersionValue(Checks.value("text", text));
  }

  /**
   * {@return a list attribute of strings}
   *
   * @param values the strings
   */
  static DeviceAttribute strings(String... values) {
    return new StringValues(Checks.array("StringValues.values", values));
  }

  /**
   * {@return a list attribute of integers}
   *
   * @param values the numbers
   */
  static DeviceAttribute ints(Long... values) {
    return new IntValues(Checks.array("IntValues.values", values));
  }
}
