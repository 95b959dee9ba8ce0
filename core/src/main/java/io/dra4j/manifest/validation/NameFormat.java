package io.dra4j.manifest.validation;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** The formats of names that {@code k8s.io/apimachinery/pkg/util/validation} checks. */
enum NameFormat {
  /** A DNS label. */
  LABEL(63, "a DNS label: at most 63 lower case letters, digits and -"),
  /** A DNS subdomain. */
  SUBDOMAIN(253, "a DNS subdomain: at most 253 lower case letters, digits, - and dots"),
  /** The name of a driver. */
  DRIVER(63, "a DNS subdomain of at most 63 bytes"),
  /** The name of a pool. */
  POOL(253, "DNS subdomains joined by slashes, at most 253 bytes together"),
  /** The name of an attribute or a capacity. */
  QUALIFIED(
      63 + 1 + 32,
      "an identifier of at most 32 letters, digits and _, perhaps after a DNS subdomain of at most"
          + " 63 bytes and a slash"),
  /** The name of an attribute with its domain. */
  FULLY_QUALIFIED(
      63 + 1 + 32,
      "a DNS subdomain of at most 63 bytes, a slash and an identifier of at most 32 letters, digits"
          + " and _"),
  /** The name of a label, a taint or a condition. */
  LABEL_NAME(
      253 + 1 + 63,
      "at most 63 letters, digits, -, _ and dots, perhaps after a DNS subdomain and a slash"),
  /** The name of a finalizer other than those of Kubernetes itself. */
  FINALIZER(
      253 + 1 + 63,
      "a DNS subdomain, a slash and at most 63 letters, digits, -, _ and dots, such as"
          + " example.com/keep"),
  /** The value of a label. */
  LABEL_VALUE(63, "at most 63 letters, digits, -, _ and dots, or nothing"),
  /** The name of an extended resource. */
  EXTENDED_RESOURCE(
      253 + 1 + 63,
      "a DNS subdomain other than those of kubernetes.io, a slash and a name, such as"
          + " example.com/gpu"),
  /** The ID of a share. */
  UUID(36, "a UUID of 36 lower case characters");

  private static final Pattern LABEL_PATTERN = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern NAME_PATTERN =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final Pattern ID_PATTERN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern UUID_PATTERN =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final int maxBytes;
  private final String expected;

  NameFormat(int maxBytes, String expected) {
    this.maxBytes = maxBytes;
    this.expected = expected;
  }

  /** Returns a description of the format. */
  String expected() {
    return expected;
  }

  /** Returns whether a name has the format. Long names are never matched against a pattern. */
  boolean accepts(String name) {
    if (name.length() > maxBytes) {
      return false;
    }
    return switch (this) {
      case LABEL -> LABEL_PATTERN.matcher(name).matches();
      case SUBDOMAIN -> isSubdomain(name);
      case DRIVER -> isSubdomain(name.toLowerCase(Locale.ROOT));
      case POOL -> eachPart(name, '/', NameFormat::isSubdomain);
      case QUALIFIED -> isQualified(name);
      case FULLY_QUALIFIED -> isFullyQualified(name);
      case LABEL_NAME -> isLabelName(name);
      case FINALIZER -> name.indexOf('/') >= 0 && isLabelName(name);
      case LABEL_VALUE -> name.isEmpty() || NAME_PATTERN.matcher(name).matches();
      case EXTENDED_RESOURCE -> isExtendedResource(name);
      case UUID -> UUID_PATTERN.matcher(name).matches();
    };
  }

  /** The number of bytes of a string in UTF-8. */
  static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  @FunctionalInterface
  private interface Test {
    boolean accepts(String part);
  }

  private static boolean eachPart(String name, char separator, Test test) {
    int start = 0;
    for (int end = name.indexOf(separator); end >= 0; end = name.indexOf(separator, start)) {
      if (!test.accepts(name.substring(start, end))) {
        return false;
      }
      start = end + 1;
    }
    return test.accepts(name.substring(start));
  }

  private static boolean isSubdomain(String name) {
    return eachPart(name, '.', part -> LABEL_PATTERN.matcher(part).matches());
  }

  private static boolean isQualified(String name) {
    int slash = name.indexOf('/');
    String id = name.substring(slash + 1);
    return (slash < 0 || DRIVER.accepts(name.substring(0, slash)))
        && id.length() <= 32
        && ID_PATTERN.matcher(id).matches();
  }

  /** ResourceFullyQualifiedName of k8s.io/apimachinery: here the domain has no upper case. */
  private static boolean isFullyQualified(String name) {
    int slash = name.indexOf('/');
    return slash >= 0 && SUBDOMAIN.accepts(name.substring(0, slash)) && isQualified(name);
  }

  private static boolean isLabelName(String name) {
    int slash = name.indexOf('/');
    String part = name.substring(slash + 1);
    return (slash < 0 || SUBDOMAIN.accepts(name.substring(0, slash)))
        && part.length() <= 63
        && NAME_PATTERN.matcher(part).matches();
  }

  /** IsExtendedResourceName of k8s.io/component-helpers, which requires a valid quota name too. */
  private static boolean isExtendedResource(String name) {
    return name.indexOf('/') >= 0
        && !name.contains("kubernetes.io/")
        && !name.startsWith("requests.")
        && isLabelName("requests." + name);
  }
}
