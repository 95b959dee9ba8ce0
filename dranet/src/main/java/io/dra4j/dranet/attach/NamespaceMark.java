package io.dra4j.dranet.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a network namespace is known by when its name, or the number of its file, has passed to
 * another one.
 *
 * @param boot which run of the machine it belongs to; empty if not known
 * @param id the file that stands for it, whose number is used again
 * @param cookie its number that is never used again in this run; empty before Linux 5.14
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

  /** Puts the mark into a record, which is a JSON object. */
  String before(String object) {
    return "{\"boot\":\"%s\",\"netns\":\"%s\",\"cookie\":\"%s\",%s"
        .formatted(boot, id, cookie, object.substring(1));
  }

  /** The mark in a record; those of former versions have none. */
  static Optional<NamespaceMark> in(String object) {
    Matcher written = WRITTEN.matcher(object);
    return written.lookingAt()
        ? Optional.of(new NamespaceMark(written.group(1), written.group(2), written.group(3)))
        : Optional.empty();
  }

  /** Whether the mark is of a run of the machine that has ended. */
  boolean isOfOtherBoot() {
    return differ(boot, thisBoot());
  }

  /** Whether the other one is surely another namespace. */
  boolean excludes(NamespaceMark other) {
    return differ(boot, other.boot) || differ(id, other.id) || differ(cookie, other.cookie);
  }

  private static boolean differ(String one, String other) {
    return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
  }
}
