package io.dra4j.manifest;

import io.dra4j.manifest.internal.json.FixedLimits;

/**
 * How much input is read before it is refused. Input comes from outside; without limits a small
 * file can claim any amount of memory or time. Whatever a file within these limits holds, it is
 * read in time linear in its size, with a heap of at most 64 MB and four times its size. A text or
 * field name has at most 1,572,864 characters. An object takes at most 12 MiB of memory while it is
 * read and 6 Mi characters as JSON. The objects of a file take at most 20 MiB and three times its
 * size. A file that would need more is refused with a {@link ManifestException}.
 *
 * @param maxFileBytes size of one file, in bytes
 * @param maxDepth nesting of objects and lists, 1 to 500
 * @param maxAliasBytes memory that the values would take which the YAML aliases of one file repeat,
 *     in bytes; of a short text about 70, of a field 50 more than its name and value
 */
public record ManifestLimits(long maxFileBytes, int maxDepth, int maxAliasBytes) {

  /** 256 MiB, 100 levels, 16 MiB of repeated values. */
  public static final ManifestLimits DEFAULT =
      new ManifestLimits(256L * 1024 * 1024, 100, 16 * 1024 * 1024);

  /**
   * Checks the limits. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one is not positive, or the depth is above 500
   */
  public ManifestLimits {
    if (maxFileBytes < 1 || maxDepth < 1 || maxDepth > FixedLimits.DEEPEST || maxAliasBytes < 0) {
      throw new IllegalArgumentException(
          "limits out of range: %d bytes, depth %d (1 to %d), %d aliased bytes"
              .formatted(maxFileBytes, maxDepth, FixedLimits.DEEPEST, maxAliasBytes));
    }
  }
}
