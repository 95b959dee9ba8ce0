package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** An entry of a record. Its path is the key in {@link HostEntries}. */
sealed interface HostEntry {

  /** A directory that exists even if it is empty. */
  enum Directory implements HostEntry {
    DIRECTORY
  }

  /**
   * A symbolic link.
   *
   * @param target the target as written in the link; it may dangle or lead out of the root
   */
  record Link(String target) implements HostEntry {}

  /**
   * A file.
   *
   * @param octets its bytes, each as the character with that number, so that records can be
   *     compared by value
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
