package io.dra4j.cel.internal.library;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.re2j.Pattern;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.cel.internal.text.Url;
import io.dra4j.cel.internal.value.FormatValue;
import io.dra4j.cel.internal.value.Values;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Named formats, after {@code format.go} of the API server's CEL library. What is wrong with a text
 * is said in the words of {@code k8s.io/apimachinery/pkg/api/validate/content}, since expressions
 * can compare them.
 */
final class FormatFunctions {

  /** How long the regular expression of a format is taken to be. */
  private static final double REGEX_LENGTH = 128;

  private static final FunctionCost VALIDATE =
      new FunctionCost(
          args ->
              new CallEstimate(
                  args.get(1)
                      .sizeOrDeclared()
                      .times(Estimates.TEXT)
                      .times(REGEX_LENGTH * Estimates.REGEX)),
          CallCost.before(FormatFunctions::validation));

  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final String SUBDOMAIN = LABEL + "(\\.%s)*".formatted(LABEL);
  private static final String LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
  private static final String KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final String LABEL_VALUE = "(" + KEY + ")?";
  private static final String DATE_TIME =
      "^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$";
  private static final String UUID =
      "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$";

  /** Texts of 0 to 3 bytes that no format has. */
  private static final ImmutableList<String> BROKEN = ImmutableList.of("", "!", "é", "\ufffd");

  private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
  private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(SUBDOMAIN);
  private static final Pattern LABEL_1035_PATTERN = Pattern.compile(LABEL_1035);
  private static final Pattern KEY_PATTERN = Pattern.compile(KEY);
  private static final Pattern LABEL_VALUE_PATTERN = Pattern.compile(LABEL_VALUE);
  private static final Pattern TIME_PATTERN =
      Pattern.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})");
  private static final Pattern DATE_PATTERN = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern UUID_PATTERN = Pattern.compile(UUID);
  private static final Pattern BASE64_PATTERN =
      Pattern.compile(
          "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})");

  private static final String START_AND_END =
      "and must start and end with an alphanumeric character";

  /** The sizes are those that the API server counts costs with. */
  private static final ImmutableMap<String, FormatValue> FORMATS =
      ImmutableMap.<String, FormatValue>builder()
          .put("dns1123Label", new FormatValue("DNS1123Label", 30, FormatFunctions::label))
          .put(
              "dns1123Subdomain",
              new FormatValue("DNS1123Subdomain", 60, text -> subdomain(text, "characters")))
          .put("dns1035Label", new FormatValue("DNS1035Label", 30, FormatFunctions::label1035))
          .put(
              "qualifiedName", new FormatValue("QualifiedName", 60, FormatFunctions::qualifiedName))
          .put(
              "dns1123LabelPrefix",
              new FormatValue("DNS1123LabelPrefix", 30, text -> label(maskDash(text))))
          .put(
              "dns1123SubdomainPrefix",
              new FormatValue(
                  "DNS1123SubdomainPrefix", 60, text -> subdomain(maskDash(text), "characters")))
          .put(
              "dns1035LabelPrefix",
              new FormatValue("DNS1035LabelPrefix", 30, text -> label1035(maskDash(text))))
          .put("labelValue", new FormatValue("LabelValue", 40, FormatFunctions::labelValue))
          .put("uri", new FormatValue("URI", 1103, FormatFunctions::uri))
          .put(
              "uuid",
              new FormatValue(
                  "uuid",
                  UUID.length(),
                  text -> check(UUID_PATTERN.matches(text), "does not match the UUID format")))
          .put(
              "byte",
              new FormatValue(
                  "byte", 84, text -> check(BASE64_PATTERN.matches(text), "invalid base64")))
          .put(
              "date",
              new FormatValue(
                  "date", DATE_TIME.length(), text -> check(isDate(text), "invalid date")))
          .put(
              "datetime",
              new FormatValue(
                  "datetime",
                  DATE_TIME.length(),
                  text -> check(isDateTime(text), "invalid datetime")))
          .buildOrThrow();

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      format.byte
        format.byte () kubernetes.NamedFormat
      format.date
        format.date () kubernetes.NamedFormat
      format.datetime
        format.datetime () kubernetes.NamedFormat
      format.dns1035Label
        format.dns1035Label () kubernetes.NamedFormat
      format.dns1035LabelPrefix
        format.dns1035LabelPrefix () kubernetes.NamedFormat
      format.dns1123Label
        format.dns1123Label () kubernetes.NamedFormat
      format.dns1123LabelPrefix
        format.dns1123LabelPrefix () kubernetes.NamedFormat
      format.dns1123Subdomain
        format.dns1123Subdomain () kubernetes.NamedFormat
      format.dns1123SubdomainPrefix
        format.dns1123SubdomainPrefix () kubernetes.NamedFormat
      format.labelValue
        format.labelValue () kubernetes.NamedFormat
      format.named
        format-named (string) optional_type(kubernetes.NamedFormat)
      format.qualifiedName
        format.qualifiedName () kubernetes.NamedFormat
      format.uri
        format.uri () kubernetes.NamedFormat
      format.uuid
        format.uuid () kubernetes.NamedFormat
      validate
        format-validate kubernetes.NamedFormat.(string) optional_type(list(string))
      """;

  private FormatFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    FORMATS.forEach(
        (name, format) ->
            library.add("format." + name, FunctionCost.ONE, ImmutableList.of(), args -> format));
    library
        .add(
            "format-named",
            FunctionCost.ONE,
            String.class,
            name -> Optional.ofNullable(FORMATS.get(name)))
        .add(
            "format-validate",
            VALIDATE,
            FormatValue.class,
            String.class,
            (format, text) -> {
              ImmutableList.Builder<String> faults = ImmutableList.builder();
              format
                  .validate(text)
                  .forEach(fault -> faults.add(GoText.requote(fault, dialect.unicode())));
              return Optional.of(faults.build()).filter(found -> !found.isEmpty());
            });
  }

  private static long validation(@Nullable Object format, @Nullable Object text) {
    return format != null && Values.content(format) instanceof FormatValue value
        ? CallCost.ceil((1.0 + CallCost.size(text)) * CallCost.TRAVERSAL)
            * CallCost.ceil(value.regexSize() * CallCost.REGEX)
        : 1;
  }

  private static ImmutableList<String> check(boolean right, String fault) {
    return right ? ImmutableList.of() : ImmutableList.of(fault);
  }

  private static ImmutableList<String> label(String text) {
    ImmutableList.Builder<String> faults = lengthFaults(text, 63, "characters");
    if (!LABEL_PATTERN.matches(text)) {
      faults.add(
          SUBDOMAIN_PATTERN.matches(text)
              ? "must not contain dots"
              : mismatch(
                  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters"
                      + " or '-', "
                      + START_AND_END,
                  LABEL,
                  "my-name",
                  "123-abc"));
    }
    return faults.build();
  }

  private static ImmutableList<String> subdomain(String text, String unit) {
    ImmutableList.Builder<String> faults = lengthFaults(text, 253, unit);
    if (!SUBDOMAIN_PATTERN.matches(text)) {
      faults.add(
          mismatch(
              "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                  + " '-' or '.', "
                  + START_AND_END,
              SUBDOMAIN,
              "example.com"));
    }
    return faults.build();
  }

  private static ImmutableList<String> label1035(String text) {
    ImmutableList.Builder<String> faults = lengthFaults(text, 63, "characters");
    if (!LABEL_1035_PATTERN.matches(text)) {
      faults.add(
          mismatch(
              "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start"
                  + " with an alphabetic character, and end with an alphanumeric character",
              LABEL_1035,
              "my-name",
              "abc-123"));
    }
    return faults.build();
  }

  private static ImmutableList<String> qualifiedName(String text) {
    String keyFault =
        mismatch(
            "must consist of alphanumeric characters, '-', '_' or '.', " + START_AND_END,
            KEY,
            "MyName",
            "my.name",
            "123-abc");
    int slash = text.indexOf('/');
    if (text.indexOf('/', slash + 1) > slash && slash >= 0) {
      return ImmutableList.of(
          "a valid label key "
              + keyFault
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    ImmutableList.Builder<String> faults = ImmutableList.builder();
    if (slash == 0) {
      faults.add("prefix part must be non-empty");
    } else if (slash > 0) {
      subdomain(text.substring(0, slash), "bytes").forEach(f -> faults.add("prefix part " + f));
    }
    String name = text.substring(slash + 1);
    if (name.isEmpty()) {
      faults.add("name part must be non-empty");
    } else {
      lengthFaults(name, 63, "bytes").build().forEach(f -> faults.add("name part " + f));
    }
    if (!KEY_PATTERN.matches(name)) {
      faults.add("name part " + keyFault);
    }
    return faults.build();
  }

  private static ImmutableList<String> labelValue(String text) {
    ImmutableList.Builder<String> faults = lengthFaults(text, 63, "bytes");
    if (!LABEL_VALUE_PATTERN.matches(text)) {
      faults.add(
          mismatch(
              "a valid label must be an empty string or consist of alphanumeric characters, '-',"
                  + " '_' or '.', "
                  + START_AND_END,
              LABEL_VALUE,
              "MyValue",
              "my_value",
              "12345"));
    }
    return faults.build();
  }

  private static ImmutableList<String> uri(String text) {
    try {
      Url.parseRequestUri(text);
      return ImmutableList.of();
    } catch (Url.SyntaxException e) {
      return ImmutableList.of(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isDate(String text) {
    if (!DATE_PATTERN.matches(text)) {
      return false;
    }
    try {
      LocalDate.of(
          Integer.parseInt(text.substring(0, 4)),
          Integer.parseInt(text.substring(5, 7)),
          Integer.parseInt(text.substring(8)));
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }

  /** What follows a second t does not count, as in the original. */
  private static boolean isDateTime(String text) {
    String[] parts = Ascii.toLowerCase(text).split("t", -1);
    if (text.length() < 4 || parts.length < 2 || !isDate(parts[0])) {
      return false;
    }
    String time = parts[1];
    return TIME_PATTERN.matches(time)
        && time.substring(0, 2).compareTo("23") <= 0
        && time.substring(3, 5).compareTo("59") <= 0
        && time.substring(6, 8).compareTo("59") <= 0;
  }

  /** Go cuts two bytes, which breaks a character of several: what is left of it fits no format. */
  private static String maskDash(String text) {
    int end = text.length() - 1;
    if (end < 1 || text.charAt(end) != '-') {
      return text;
    }
    int before = text.offsetByCodePoints(end, -1);
    int left = GoText.length(text.substring(before, end)) - 1;
    return text.substring(0, before) + BROKEN.get(left) + "a";
  }

  private static ImmutableList.Builder<String> lengthFaults(String text, int max, String unit) {
    ImmutableList.Builder<String> faults = ImmutableList.builder();
    if (text.length() > max || GoText.length(text) > max) {
      faults.add("must be no more than " + max + " " + unit);
    }
    return faults;
  }

  private static String mismatch(String rule, String regex, String... examples) {
    return rule
        + " (e.g. '"
        + String.join("',  or '", examples)
        + "', regex used for validation is '"
        + regex
        + "')";
  }
}
