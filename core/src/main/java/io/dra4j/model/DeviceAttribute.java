package io.dra4j.model;

import io.dra4j.internal.Checks;
import java.util.List;

/**
 * The value of one device attribute: a scalar, or (KEP-5491) a list of scalars of one type.
 *
 * <p>Values of different types are never equal, not even {@code 1} and {@code "1"}. Versions are
 * kept as their text: constraints compare the text, and a text that is no semantic version is an
 * error only where a selector reads it.
 */
public sealed interface DeviceAttribute {

  /**
   * Returns how many values the attribute has; the API server allows 48 in all attributes of a
   * device (ResourceSliceMaxAttributeValuesPerDevice).
   *
   * @return the length of a list; 1 for everything else
   */
  default int valueCount() {
    return 1;
  }

  /**
   * Returns the texts of the attribute; the API server allows 64 bytes for each
   * (DeviceAttributeMaxValueLength).
   *
   * @return strings, or versions as they are written; none for numbers and truth values
   */
  default List<String> texts() {
    return List.of();
  }

  /**
   * A 64-bit integer.
   *
   * @param value the number
   */
  record IntValue(long value) implements DeviceAttribute {}

  /**
   * A truth value.
   *
   * @param value the truth value
   */
  record BoolValue(boolean value) implements DeviceAttribute {}

  /**
   * A string; the API server allows at most 64 bytes.
   *
   * @param value the text
   */
  record StringValue(String value) implements DeviceAttribute {

    /** Refuses null. {@inheritDoc} */
    public StringValue {
      Checks.value("StringValue.value", value);
    }

    @Override
    public List<String> texts() {
      return List.of(value);
    }
  }

  /**
   * A semantic version, see {@link SemVer}.
   *
   * @param value the version as written
   */
  record VersionValue(String value) implements DeviceAttribute {

    /** Refuses null. {@inheritDoc} */
    public VersionValue {
      Checks.value("VersionValue.value", value);
    }

    @Override
    public List<String> texts() {
      return List.of(value);
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
  }

  /**
   * A list of truth values.
   *
   * @param values the truth values, in the order in which they were written
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
  }

  /**
   * A list of strings.
   *
   * @param values the texts, in the order in which they were written
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
  }

  /**
   * An attribute without any value known to this version of the API. It satisfies no constraint,
   * and every selector fails on a device that has one.
   */
  record NoValue() implements DeviceAttribute {}

  /**
   * An integer attribute.
   *
   * @param value the number
   * @return the attribute value
   */
  static DeviceAttribute of(long value) {
    return new IntValue(value);
  }

  /**
   * A boolean attribute.
   *
   * @param value the truth value
   * @return the attribute value
   */
  static DeviceAttribute of(boolean value) {
    return new BoolValue(value);
  }

  /**
   * A string attribute.
   *
   * @param value the text
   * @return the attribute value
   */
  static DeviceAttribute of(String value) {
    return new StringValue(value);
  }

  /**
   * A version attribute.
   *
   * @param text a semantic version such as {@code 1.2.3}
   * @return the attribute value
   */
  static DeviceAttribute version(String text) {
    return new VersionValue(Checks.value("text", text));
  }

  /**
   * A list attribute of strings.
   *
   * @param values the texts
   * @return the attribute value
   */
  static DeviceAttribute strings(String... values) {
    return new StringValues(Checks.array("StringValues.values", values));
  }

  /**
   * A list attribute of integers.
   *
   * @param values the numbers
   * @return the attribute value
   */
  static DeviceAttribute ints(Long... values) {
    return new IntValues(Checks.array("IntValues.values", values));
  }
}
