package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * What a record holds at one path. Kept apart from the path, which is its key in {@link
 * HostEntries}.
 */
sealed interface HostEntry {

  /** A folder that exists even when nothing is in it. */
  enum Folder implements HostEntry {
    FOLDER
  }

  /**
   * A symbolic link.
   *
   * @param target as the link says it; it may dangle, and it may lead out of the root
   */
  record Link(String target) implements HostEntry {}

  /**
   * A file.
   *
   * @param octets its bytes, each as the character of that number, so that the record is a value
   */
  record File(String octets) implements HostEntry {

    static File of(byte[] content) {
      return new File(new String(content, ISO_8859_1));
    }

    byte[] content() {
      return octets.getBytes(ISO_8859_1);
    }
  }
}
