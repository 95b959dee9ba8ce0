package io.dra4j.manifest;

/**
 * How much input is read before it is refused. Input comes from outside; without limits a small
 * file can claim any amount of memory or time.
 *
 * @param maxFileBytes size of one file, in bytes
 * @param maxDepth nesting of objects and lists
 * @param maxAliasExpansion how many values (fields, list elements) the YAML aliases of one file may
 *     repeat
 */
public record ManifestLimits(long maxFileBytes, int maxDepth, int maxAliasExpansion) {

  /** 256 MiB, 100 levels, a million values. */
  public static final ManifestLimits DEFAULT =
      new ManifestLimits(256L * 1024 * 1024, 100, 1_000_000);

  /** Objects in one file, skipped ones included; a hundred times the nodes of a big cluster. */
  static final int MAX_OBJECTS = 1_000_000;

  /** Values in one object; etcd takes no object of more than about a megabyte. */
  static final int MAX_VALUES = 1_000_000;

  /** More would exhaust the stack of a thread before the limit is reached. */
  static final int DEEPEST = 500;

  /**
   * Checks the limits. {@inheritDoc}
   *
   * @throws IllegalArgumentException if one is not positive, or the depth is above 500
   */
  public ManifestLimits {
    if (maxFileBytes < 1 || maxDepth < 1 || maxDepth > DEEPEST || maxAliasExpansion < 0) {
      throw new IllegalArgumentException(
          "limits out of range: %d bytes, depth %d (1 to %d), %d aliased values"
              .formatted(maxFileBytes, maxDepth, DEEPEST, maxAliasExpansion));
    }
  }
}
