package io.dra4j.cel.internal.eval;

import io.dra4j.model.SemVer;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes texts that are semantic versions. Remembers the last ones, since devices have few
 * different ones, and each is looked at for every device. Thread-safe.
 */
final class ValidVersions {

  private static final int PLACES = 256; // 30 KB at most
  private static final int MAX_LENGTH = 64; // DeviceAttributeMaxValueLength of resource.k8s.io/v1

  private final @Nullable String[] known = new String[PLACES];

  boolean contains(String text) {
    int place = text.hashCode() & PLACES - 1;
    if (text.equals(known[place])) {
      return true;
    } else if (SemVer.tryParse(text).isEmpty()) {
      return false;
    }
    if (text.length() <= MAX_LENGTH) {
      known[place] = text;
    }
    return true;
  }
}
