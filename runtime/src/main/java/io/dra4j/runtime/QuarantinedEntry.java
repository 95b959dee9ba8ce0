package io.dra4j.runtime;

/**
 * A damaged record of a store that was quarantined, so that the other records can be used.
 *
 * @param table the table of the record: {@code allocation}, {@code claim}, {@code attachment} or
 *     {@code step}
 * @param key the key of the record, for example the UID of a claim and the name of a driver
 * @param reason the problem with the record
 */
public record QuarantinedEntry(String table, String key, String reason) {

  /** {@return table, key and reason of the record, for messages} */
  @Override
  public String toString() {
    return table + " " + key + ": " + reason;
  }
}
