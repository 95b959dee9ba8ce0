package io.dra4j.manifest.internal.json;

import io.dra4j.manifest.ManifestLimits;

/** Limits of input that callers cannot change, in addition to their {@link ManifestLimits}. */
public final class FixedLimits {

  /** Characters of one string or field name; etcd accepts no object of more bytes. */
  public static final int MAX_TEXT = 3 * 512 * 1024;

  /** Memory for the values of one object while it is read. */
  public static final int MAX_OBJECT_BYTES = 12 * 1024 * 1024;

  /** Memory for the anchored values of one document, which are kept as long as the document. */
  public static final int MAX_ANCHOR_BYTES = 4 * 1024 * 1024;

  /** Characters of one object, or of a part of it, that is kept as JSON. */
  public static final int MAX_JSON = 6 * 1024 * 1024;

  /**
   * Memory for the objects of a file, in addition to {@link #KEPT_PER_BYTE} for each byte of it.
   */
  public static final int MAX_KEPT_BYTES = 20 * 1024 * 1024;

  /** Memory for the objects of a file, for each byte of it. */
  public static final int KEPT_PER_BYTE = 3;

  /** The most levels of nesting; a deeper limit would exhaust the stack of a thread first. */
  public static final int DEEPEST = 500;

  private FixedLimits() {}
}
