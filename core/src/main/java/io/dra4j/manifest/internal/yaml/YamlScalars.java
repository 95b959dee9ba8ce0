package io.dra4j.manifest.internal.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.internal.json.GoNumbers;
import java.math.BigInteger;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of YAML scalars, as in Kubernetes: YAML 1.1 as go.yaml.in/yaml/v2 reads it and
 * sigs.k8s.io/yaml converts it to JSON. {@code yes}, {@code on} and {@code y} are booleans, {@code
 * 0x1F}, {@code 017} and {@code 1_000} are numbers, dates are strings.
 */
final class YamlScalars {

  private static final String TAGS = "tag:yaml.org,2002:";

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
  private static final Pattern UNDERSCORE_IN_NUMBER = Pattern.compile("(?<=[0-9])_(?=[0-9])");
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "\\d{4}-\\d\\d?-\\d\\d?"
              + "([Tt]\\d\\d?:\\d\\d?:\\d\\d?(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)"
              + "| \\d\\d?:\\d\\d?:\\d\\d?(\\.\\d+)?)?");

  private static final Pattern LEADING_ZEROS = Pattern.compile("^0+(?=.)");

  /** A scalar that does not match its tag, or that JSON cannot express. */
  static final class ScalarException extends Exception {
    private static final long serialVersionUID = 1L;

    ScalarException(String message) {
      super(message, null, false, false);
    }
  }

  private YamlScalars() {}

  /**
   * Returns the value of a scalar.
   *
   * @param tag its explicit tag, or {@code null}
   * @param plain whether it is written without quotes; matters only without tag
   * @param text its text
   */
  static Json resolve(@Nullable String tag, boolean plain, String text) throws ScalarException {
    if (tag == null || tag.equals("!")) {
      return plain && tag == null ? resolvePlain(text) : new Json.Text(text);
    }
    if (!tag.startsWith(TAGS)) {
      return new Json.Text(text);
    }
    return switch (tag.substring(TAGS.length())) {
      case "null" -> expect(tag, text, resolvePlain(text) instanceof Json.Null);
      case "bool" -> expect(tag, text, resolvePlain(text) instanceof Json.Flag);
      case "int" -> expect(tag, text, integer(text) != null);
      case "float" -> asFloat(tag, text);
      case "timestamp" -> {
        expect(tag, text, TIMESTAMP.matcher(text).matches());
        yield new Json.Text(text);
      }
      case "binary" -> binary(text);
      default -> new Json.Text(text);
    };
  }

  /** Returns the field name of a scalar; names are strings in JSON. */
  static String key(@Nullable String tag, boolean plain, String text) throws ScalarException {
    if (tag == null && plain && NOT_FINITE.contains(text)) {
      return GoNumbers.key(notFinite(text));
    }
    Json value = resolve(tag, plain, text);
    if (value instanceof Json.Text name) {
      return name.value();
    } else if (value instanceof Json.Flag flag) {
      return flag.describe();
    } else if (value instanceof Json.Num number) {
      BigInteger integer = isFloat(tag) ? null : integer(text);
      if (integer == null) {
        return GoNumbers.key(Double.parseDouble(number.text()));
      } else if (integer.bitLength() < Long.SIZE) {
        return integer.toString();
      }
    }
    throw new ScalarException(value.describe() + " cannot be a field name");
  }

  private static boolean isFloat(@Nullable String tag) {
    return tag != null && tag.equals(TAGS + "float");
  }

  private static double notFinite(String text) {
    if (text.endsWith("n") || text.endsWith("N")) {
      return Double.NaN;
    }
    return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }

  /** Whether a string can be written without quotes and is still read as a string. */
  static boolean isPlainText(String text) {
    try {
      return resolvePlain(text) instanceof Json.Text;
    } catch (ScalarException e) {
      return false;
    }
  }

  private static Json resolvePlain(String text) throws ScalarException {
    if (text.isEmpty()) {
      return Json.Null.NULL;
    }
    switch (text.charAt(0)) {
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '.' -> {
        Json number = number(text);
        return number == null ? new Json.Text(text) : number;
      }
      case 'y', 'Y', 'n', 'N', 't', 'T', 'f', 'F', 'o', 'O', '~' -> {
        if (TRUE.contains(text)) {
          return Json.Flag.TRUE;
        } else if (FALSE.contains(text)) {
          return Json.Flag.FALSE;
        } else if (NULL.contains(text)) {
          return Json.Null.NULL;
        }
        return new Json.Text(text);
      }
      default -> {
        return new Json.Text(text);
      }
    }
  }

  private static @Nullable Json number(String text) throws ScalarException {
    if (NOT_FINITE.contains(text)) {
      throw new ScalarException("JSON has no number " + text);
    }
    if (text.charAt(0) == '.') {
      return floating(UNDERSCORE_IN_NUMBER.matcher(text).replaceAll(""));
    }
    BigInteger integer = integer(text);
    return integer != null ? new Json.Num(integer.toString()) : floating(text.replace("_", ""));
  }

  /** The whole number, or {@code null} if the text is not a whole number of 64 bits. */
  private static @Nullable BigInteger integer(String text) {
    String digits = text.replace("_", "");
    boolean signed = isSign(digits);
    String number = signed ? digits.substring(1) : digits;
    int base = base(number);
    String body = number.substring(prefixLength(number, base));
    boolean negative = digits.startsWith("-");
    if (!signed && number.startsWith("0b") && isSign(body)) {
      // Go's resolver, if all else fails, parses the text after 0b separately, including a sign.
      signed = true;
      negative = body.startsWith("-");
      body = body.substring(1);
    }
    if (body.isEmpty() || !body.chars().allMatch(c -> c < 128 && Character.digit(c, base) >= 0)) {
      return null;
    }
    body = LEADING_ZEROS.matcher(body).replaceFirst("");
    if (body.length() > Long.SIZE) {
      return null;
    }
    BigInteger value = new BigInteger(body, base);
    value = negative ? value.negate() : value;
    boolean fits = value.bitLength() < Long.SIZE || (!signed && value.bitLength() == Long.SIZE);
    return fits ? value : null;
  }

  private static boolean isSign(String text) {
    return text.startsWith("-") || text.startsWith("+");
  }

  private static int base(String number) {
    if (number.length() < 2 || number.charAt(0) != '0') {
      return 10;
    }
    return switch (number.charAt(1)) {
      case 'x', 'X' -> 16;
      case 'b', 'B' -> 2;
      default -> 8;
    };
  }

  private static int prefixLength(String number, int base) {
    if (base == 10) {
      return 0;
    }
    return base == 8 && number.charAt(1) != 'o' && number.charAt(1) != 'O' ? 1 : 2;
  }

  private static @Nullable Json floating(String text) {
    if (!FLOAT.matcher(text).matches()) {
      return null;
    }
    String number = GoNumbers.json(text);
    return number == null ? null : new Json.Num(number);
  }

  private static Json asFloat(String tag, String text) throws ScalarException {
    BigInteger integer = integer(text);
    if (integer != null && integer.bitLength() < Long.SIZE) {
      return new Json.Num(GoNumbers.json(integer.doubleValue()));
    }
    Json value = resolvePlain(text);
    return expect(tag, text, integer == null && value instanceof Json.Num);
  }

  private static Json expect(String tag, String text, boolean isSo) throws ScalarException {
    if (!isSo) {
      throw new ScalarException(
          '"'
              + PrintableText.abbreviate(text)
              + "\" is not of type !!"
              + tag.substring(TAGS.length()));
    }
    return resolvePlain(text);
  }

  private static Json binary(String text) throws ScalarException {
    String base64 = text.replace("\n", "").replace("\r", "");
    try {
      if (base64.length() % 4 == 0) { // Java also accepts it without padding
        return new Json.Text(new String(Base64.getDecoder().decode(base64), UTF_8));
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    throw new ScalarException("a !!binary value that is not base64");
  }
}
