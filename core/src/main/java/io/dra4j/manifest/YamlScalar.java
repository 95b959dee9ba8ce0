package io.dra4j.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a plain YAML scalar means to Kubernetes, which reads YAML 1.1 and turns it into JSON (Go
 * modules {@code go.yaml.in/yaml/v2}, {@code sigs.k8s.io/yaml}): {@code yes} is a truth value,
 * {@code 0x1f} and {@code 017} are numbers, dates are text.
 */
final class YamlScalar {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> NOT_FINITE =
      Set.of(
          ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf",
          "-.Inf", "-.INF");

  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern DECIMAL = Pattern.compile("0|[1-9][0-9]*");
  private static final Map<String, Integer> BASES =
      Map.of("0x", 16, "0X", 16, "0o", 8, "0O", 8, "0b", 2, "0B", 2);
  private static final BigInteger MAX_UNSIGNED = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger MIN_SIGNED = BigInteger.ONE.shiftLeft(63).negate();

  /** No integer of 64 bits has more digits, even in base 2. */
  private static final int MAX_DIGITS = 66;

  private YamlScalar() {}

  /**
   * The value of a plain scalar.
   *
   * @throws IllegalArgumentException if JSON cannot hold it
   */
  static JsonNode resolve(String text) {
    if (NULL.contains(text)) {
      return JSON.nullNode();
    }
    if (TRUE.contains(text) || FALSE.contains(text)) {
      return JSON.booleanNode(TRUE.contains(text));
    }
    if (NOT_FINITE.contains(text)) {
      throw new IllegalArgumentException("JSON has no number for " + text);
    }
    char first = text.charAt(0);
    if (first != '+' && first != '-' && first != '.' && (first < '0' || first > '9')) {
      return JSON.textNode(text);
    }
    String plain = text.replace("_", "");
    BigInteger integer = integer(plain);
    if (integer != null) {
      return integer.bitLength() < 64
          ? JSON.numberNode(integer.longValue())
          : JSON.numberNode(integer);
    }
    return FLOAT.matcher(plain).matches() ? number(plain) : JSON.textNode(text);
  }

  private static @Nullable BigInteger integer(String plain) {
    boolean negative = plain.startsWith("-");
    String digits = negative || plain.startsWith("+") ? plain.substring(1) : plain;
    if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
      return null;
    }
    int base = 10;
    Integer prefixed = digits.length() > 2 ? BASES.get(digits.substring(0, 2)) : null;
    if (prefixed != null) {
      base = prefixed;
      digits = digits.substring(2);
    } else if (digits.length() > 1 && digits.charAt(0) == '0') {
      base = 8;
      digits = digits.substring(1);
    } else if (!DECIMAL.matcher(digits).matches()) {
      return null;
    }
    for (int i = 0; i < digits.length(); i++) {
      if (digits.charAt(i) > 'f' || Character.digit(digits.charAt(i), base) < 0) {
        return null;
      }
    }
    BigInteger value = new BigInteger(digits, base);
    value = negative ? value.negate() : value;
    // Beyond 64 bits Go goes on to read a float.
    return value.compareTo(MAX_UNSIGNED) < 0 && value.compareTo(MIN_SIGNED) >= 0 ? value : null;
  }

  /** As Go writes a float64 in JSON: without fraction where there is none. */
  private static JsonNode number(String plain) {
    double value = Double.parseDouble(plain);
    if (Double.isInfinite(value)) {
      throw new IllegalArgumentException("number out of range: " + plain);
    }
    BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    double magnitude = Math.abs(value);
    if (value == 0) {
      return JSON.numberNode(0);
    }
    if (exact.scale() <= 0 && magnitude < 1e21) {
      return JSON.numberNode(exact.toBigIntegerExact());
    }
    return JSON.numberNode(exact);
  }
}
