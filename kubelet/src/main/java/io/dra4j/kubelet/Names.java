package io.dra4j.kubelet;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/** Checks names before they become parts of paths. */
final class Names {

  private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

  /** The longest name of a DRA driver, in bytes (k8s.io/api resource/v1 DriverNameMaxLength). */
  private static final int DRIVER_NAME_MAXIMUM = 63;

  private Names() {}

  static boolean isFileName(String name, int maximum) {
    return name.length() <= maximum && FILE_NAME.matcher(name).matches();
  }

  static String checkedDriver(String driver) {
    if (driver.length() > DRIVER_NAME_MAXIMUM || !SUBDOMAIN.matcher(driver).matches()) {
      throw new IllegalArgumentException(
          "driver name \"%s\" must be a DNS subdomain of at most %d bytes"
              .formatted(shown(driver), DRIVER_NAME_MAXIMUM));
    }
    return driver;
  }

  /** Returns the start of an untrusted string, without control characters. */
  static String shown(String text) {
    String start = text.length() > 100 ? text.substring(0, 100) + "..." : text;
    return start.replaceAll("\\p{Cntrl}", "?");
  }

  /** Returns a hash of a string: 11 letters, digits, {@code -} and {@code _}. */
  static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}
