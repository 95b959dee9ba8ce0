package io.dra4j.runtime;

/**
 * An entry of a store that could not be understood, and was put aside so that the others can be
 * used.
 *
 * @param table where it was: {@code allocation}, {@code claim}, {@code attachment} or {@code step}
 * @param key which entry it was, for example the unique id of a claim and the name of a driver
 * @param reason what is wrong with it
 */
public record QuarantinedEntry(String table, String key, String reason) {

  /**
   * The form for messages.
   *
   * @return table, key and reason
   */
  @Override
  public String toString() {
    return table + " " + key + ": " + reason;
  }
}
