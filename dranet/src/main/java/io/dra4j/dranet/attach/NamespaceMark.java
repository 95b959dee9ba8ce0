package io.dra4j.dranet.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies a network namespace even if its name or its inode number is reused by another one.
 *
 * @param boot the boot ID of the machine; empty if not known
 * @param id the device and inode number of its file, which can be reused
 * @param cookie its cookie, which is not reused until the machine restarts; empty before Linux 5.14
 */
record NamespaceMark(String boot, String id, String cookie) {

  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private static final Pattern WRITTEN =
      Pattern.compile(
          "\\{\"boot\":\"([0-9a-f-]*)\",\"netns\":\"([^\"]*)\",\"cookie\":\"([0-9]*)\",");

  static NamespaceMark of(NamespaceSession session) {
    OptionalLong cookie = session.route().socket().namespaceCookie();
    return new NamespaceMark(
        thisBoot(),
        session.namespace().id().toString(),
        cookie.isPresent() ? Long.toUnsignedString(cookie.getAsLong()) : "");
  }

  private static String thisBoot() {
    try {
      return Files.readString(BOOT).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Adds the mark to a record, which is a JSON object. */
  String before(String object) {
    return "{\"boot\":\"%s\",\"netns\":\"%s\",\"cookie\":\"%s\",%s"
        .formatted(boot, id, cookie, object.substring(1));
  }

  /** Returns the mark in a record; empty for records of earlier versions. */
  static Optional<NamespaceMark> in(String object) {
    Matcher written = WRITTEN.matcher(object);
    return written.lookingAt()
        ? Optional.of(new NamespaceMark(written.group(1), written.group(2), written.group(3)))
        : Optional.empty();
  }

  /** Returns whether the mark was made before the machine was restarted. */
  boolean isOfOtherBoot() {
    return differ(boot, thisBoot());
  }

  /** Returns whether the other mark certainly identifies another namespace. */
  boolean excludes(NamespaceMark other) {
    return differ(boot, other.boot) || differ(id, other.id) || differ(cookie, other.cookie);
  }

  private static boolean differ(String one, String other) {
    return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
  }
}
