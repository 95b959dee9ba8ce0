package io.dra4j.manifest.internal.codec;

import static io.dra4j.manifest.internal.json.FixedLimits.KEPT_PER_BYTE;
import static io.dra4j.manifest.internal.json.FixedLimits.MAX_KEPT_BYTES;

import io.dra4j.manifest.internal.json.DocumentException;

/**
 * Counts the memory of the objects of one file, and rejects the file before they take too much in
 * relation to its size: three bytes of a list can become an object of hundreds.
 */
public final class MemoryMeter {

  /** An object without its fields: its records, its origin, and its entries in tables and lists. */
  public static final int KUBERNETES_OBJECT = 432;

  /** An object that is skipped. */
  public static final int SKIPPED_OBJECT = 168;

  /** A record in a list, a map or an optional field; most have fewer fields than a device. */
  public static final int RECORD = 72;

  public static final int LIST = 40;
  public static final int ELEMENT = 4;
  public static final int MAP = 64;
  public static final int ENTRY = 40;
  public static final int NUMBER = 24;

  private final long fileBytes;
  private long bytes;

  public MemoryMeter(long fileBytes) {
    this.fileBytes = fileBytes;
  }

  /** Adds the memory of something that is kept. */
  public void add(long more) {
    bytes += more;
  }

  /** Rejects the file if it keeps too much memory, or would do so with the additional amount. */
  public void check(long more) throws DocumentException {
    if (bytes + more > MAX_KEPT_BYTES + KEPT_PER_BYTE * fileBytes) {
      throw new DocumentException(
          "the objects of this file take too much memory for its size: more than %d MiB and %d bytes for each byte; split it"
              .formatted(MAX_KEPT_BYTES >> 20, KEPT_PER_BYTE));
    }
  }
}
