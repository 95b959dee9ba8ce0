package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.ManifestLimits;

/** Limits of input that callers cannot change, beside their {@link ManifestLimits}. */
public final class FixedLimits {

  /** Characters of one text or field name; etcd takes no object of more bytes. */
  public static final int MAX_TEXT = 3 * 512 * 1024;

  /** Memory for the values of one object while it is read. */
  public static final int MAX_OBJECT_BYTES = 12 * 1024 * 1024;

  /** Memory for the anchored values of one document, which live as long as it. */
  public static final int MAX_ANCHOR_BYTES = 4 * 1024 * 1024;

  /** Characters of one object, or of a part of it, that is kept as JSON. */
  public static final int MAX_JSON = 6 * 1024 * 1024;

  /** Memory for what remains of a file, beside {@link #KEPT_PER_BYTE} for each byte of it. */
  public static final int MAX_KEPT_BYTES = 20 * 1024 * 1024;

  /** Memory for what remains of a file, for each byte of it. */
  public static final int KEPT_PER_BYTE = 3;

  /** Levels of nesting; more would exhaust the stack of a thread before the limit is reached. */
  public static final int DEEPEST = 500;

  private FixedLimits() {}
}
