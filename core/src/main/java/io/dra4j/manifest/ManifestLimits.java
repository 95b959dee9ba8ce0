package io.dra4j.manifest;

import io.dra4j.manifest.internal.json.FixedLimits;

/**
 * The limits of input. Input comes from outside; without limits a small file could need any amount
 * of memory or time. Any file within these limits is read in time linear in its size, with a heap
 * of at most 64 MB plus four times its size. A string or field name has at most 1,572,864
 * characters. An object takes at most 12 MiB of memory during reading, and at most 6 Mi characters
 * as JSON. The objects of a file take at most 20 MiB plus three times its size. A file that would
 * need more is rejected with a {@link ManifestException}.
 *
 * @param maxFileBytes the size of one file, in bytes
 * @param maxDepth the nesting of objects and lists, 1 to 500
 * @param maxAliasBytes the memory of all values that the YAML aliases of one file repeat, in bytes;
 *     a short string counts about 70, a field 50 more than its name and value
 */
public record ManifestLimits(long maxFileBytes, int maxDepth, int maxAliasBytes) {

  /** 256 MiB, 100 levels, 16 MiB of repeated values. */
  public static final ManifestLimits DEFAULT =
      new ManifestLimits(256L * 1024 * 1024, 100, 16 * 1024 * 1024);

  /**
   * Checks the limits. {@inheritDoc}
   *
   * @throws IllegalArgumentException if a limit is not positive, or the depth is above 500
   */
  public ManifestLimits {
    if (maxFileBytes < 1 || maxDepth < 1 || maxDepth > FixedLimits.DEEPEST || maxAliasBytes < 0) {
      throw new IllegalArgumentException(
          "limits out of range: %d bytes, depth %d (1 to %d), %d aliased bytes"
              .formatted(maxFileBytes, maxDepth, FixedLimits.DEEPEST, maxAliasBytes));
    }
  }
}
