package io.dra4j.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Builds a tree in the format of the kernel. Paths are relative to the root. */
final class SysfsTree {

  private final HostEntries entries = new HostEntries();

  /** Adds an attribute: one line of text. */
  void attribute(String path, Object value) {
    file(path, (value + "\n").getBytes(UTF_8));
  }

  void file(String path, byte[] content) {
    entries.put(path, HostEntry.File.of(content));
  }

  void directory(String path) {
    entries.put(path, HostEntry.Directory.DIRECTORY);
  }

  /** Adds a relative link to another path of the tree. */
  void link(String path, String to) {
    entries.put(path, new HostEntry.Link(relative(path, to)));
  }

  CapturedHost host(String name) {
    return new CapturedHost(name, entries.checked());
  }

  /**
   * Returns the text of a link. The kernel climbs to the lowest directory that contains the link
   * and also the target's parent, so the link leaves a device's own directory and enters it again:
   * {@code net/eth0/device} is {@code ../../../0000:14:00.0} (fs/kernfs /symlink.c,
   * kernfs_get_target_path).
   */
  static String relative(String path, String to) {
    String[] from = path.split("/", -1);
    String[] target = to.split("/", -1);
    int common = 0;
    while (common < from.length - 1
        && common < target.length - 1
        && from[common].equals(target[common])) {
      common++;
    }
    StringBuilder text = new StringBuilder("../".repeat(from.length - 1 - common));
    for (int i = common; i < target.length; i++) {
      text.append(target[i]).append(i + 1 < target.length ? "/" : "");
    }
    return text.toString();
  }
}
