package io.dra4j.linux;

import java.io.IOException;

/** What this process may do to the kernel. */
public final class Privileges {

  private Privileges() {}

  /**
   * Whether it may make network namespaces: as root, or below {@code unshare -Urn}.
   *
   * @return whether it may
   */
  public static boolean canMakeNamespaces() {
    try (NetworkNamespace namespace = NetworkNamespace.create()) {
      return namespace.descriptor().isOpen();
    } catch (IOException e) {
      return false;
    }
  }
}
