package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.ResourceClaim;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime must remember over a restart: allocated claims, prepared claims, attachments, and
 * the steps that were recorded for them. One file of SQLite, in write-ahead mode; what a method
 * wrote is on the disk when it returns ({@code synchronous=FULL}), all of it or nothing. Every
 * entry has a checksum over its key and content: one that does not agree, or cannot be read, is put
 * aside when the store is opened ({@link #quarantined}), and the others are used.
 *
 * <p>A store belongs to one process, which a lock on the file {@code STORE.lock} sees to. The file
 * can be read by its owner only. Thread-safe.
 */
public final class ClaimStore implements AutoCloseable {

  /**
   * Which journal of steps is meant: that of preparing a claim, or that of attaching it.
   *
   * @param uid the unique id of the claim
   * @param driver the name of the driver
   * @param sandbox the id of the sandbox; empty for preparing
   */
  record Key(String uid, String driver, String sandbox) {

    private static Key of(ResultSet row) throws SQLException {
      return new Key(row.getString("uid"), row.getString("driver"), row.getString("sandbox"));
    }

    private Key ofClaim() {
      return new Key(uid, driver, "");
    }
  }

  private final StoreDatabase database;

  private ClaimStore(StoreDatabase database) {
    this.database = database;
  }

  /**
   * Opens a store, and makes it if there is none.
   *
   * @param file the file; its folder must exist
   * @return the store
   * @throws StoreException if another process or this one uses it, if it is not a store, if a newer
   *     version wrote it, or if it cannot be read or written
   */
  public static ClaimStore open(Path file) throws StoreException {
    return open(file, 0);
  }

  /** For tests of full disks: a store of at most so many pages of 4 KiB; 0 for no limit. */
  static ClaimStore open(Path file, int maxPages) throws StoreException {
    StoreDatabase database = StoreDatabase.open(file, maxPages);
    try {
      if (StoreSchema.isEmpty(database)) {
        StoreSchema.create(database);
      }
      StoreSchema.check(database);
      StoreQuarantine.putBadEntriesAside(database);
      return new ClaimStore(database);
    } catch (StoreException | RuntimeException | Error e) {
      try {
        database.close();
      } catch (StoreException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /**
   * Reads the claims of a store, which this or another process may use meanwhile, and changes
   * nothing.
   *
   * @param file the file
   * @return the claims with their attachments, as of one moment
   * @throws StoreException if there is no such file, it is not a store, or an entry cannot be read
   */
  public static List<StoredClaim> read(Path file) throws StoreException {
    try (StoreDatabase database = StoreDatabase.openToRead(file)) {
      if (StoreSchema.isEmpty(database)) {
        return List.of();
      }
      StoreSchema.check(database);
      return claims(database);
    }
  }

  // Reading.

  /**
   * The claims that were allocated on this host.
   *
   * @return claims with allocation
   * @throws StoreException if the store cannot be read
   */
  public List<ResourceClaim> allocations() throws StoreException {
    return database.read(
        () ->
            database.rows(
                "SELECT document FROM allocation ORDER BY uid",
                row -> Documents.toAllocation(row.getString(1))));
  }

  /**
   * The claims that were prepared, or begun, with their attachments and steps.
   *
   * @return the claims by unique id and driver
   * @throws StoreException if the store cannot be read
   */
  public List<StoredClaim> claims() throws StoreException {
    return claims(database);
  }

  private static List<StoredClaim> claims(StoreDatabase database) throws StoreException {
    return database.read(
        () -> {
          Map<Key, List<Step>> steps = steps(database);
          Map<Key, List<StoredAttachment>> attachments = attachments(database, steps);
          return database.rows(
              "SELECT uid, driver, '' AS sandbox, state, document FROM claim ORDER BY uid, driver",
              row -> {
                Key key = Key.of(row);
                return new StoredClaim(
                    key.driver(),
                    ClaimState.valueOf(row.getString("state")),
                    Documents.toClaim(row.getString("document")),
                    steps.getOrDefault(key, List.of()),
                    attachments.getOrDefault(key, List.of()));
              });
        });
  }

  private static Map<Key, List<Step>> steps(StoreDatabase database)
      throws SQLException, IOException {
    Map<Key, List<Step>> steps = new HashMap<>();
    database.rows(
        "SELECT * FROM step ORDER BY uid, driver, sandbox, position",
        row ->
            steps
                .computeIfAbsent(Key.of(row), one -> new ArrayList<>())
                .add(new Step(row.getString("name"), row.getString("document"))));
    return steps;
  }

  private static Map<Key, List<StoredAttachment>> attachments(
      StoreDatabase database, Map<Key, List<Step>> steps) throws SQLException, IOException {
    Map<Key, List<StoredAttachment>> attachments = new HashMap<>();
    database.rows(
        "SELECT * FROM attachment ORDER BY uid, driver, sandbox",
        row -> {
          Key key = Key.of(row);
          String document = row.getString("document");
          return attachments
              .computeIfAbsent(key.ofClaim(), one -> new ArrayList<>())
              .add(
                  new StoredAttachment(
                      Documents.toSandbox(document),
                      ClaimState.valueOf(row.getString("state")),
                      Documents.toStatuses(document),
                      steps.getOrDefault(key, List.of())));
        });
    return attachments;
  }

  /**
   * What was put aside because it could not be understood, since the store was made.
   *
   * @return the entries, oldest first
   * @throws StoreException if the store cannot be read
   */
  public List<QuarantinedEntry> quarantined() throws StoreException {
    return StoreQuarantine.entries(database);
  }

  // Writing.

  void putAllocation(ResourceClaim claim) throws StoreException {
    String uid = Objects.requireNonNull(claim.metadata().uid(), "the uid of an allocated claim");
    String document = Documents.ofAllocation(claim);
    database.write(() -> put("allocation", uid, document));
  }

  void deleteAllocation(String uid) throws StoreException {
    database.write(() -> database.update("DELETE FROM allocation WHERE uid = ?", uid));
  }

  /** Writes a claim, and makes the steps of its journal those given; null leaves them. */
  void putClaim(String driver, ClaimState state, PreparedClaim claim, @Nullable List<Step> steps)
      throws StoreException {
    Key key = new Key(claim.claim().uid(), driver, "");
    String document = Documents.ofClaim(claim);
    database.write(
        () -> {
          put("claim", key.uid(), driver, state.name(), document);
          if (steps != null) {
            replaceSteps(key, steps);
          }
        });
  }

  void deleteClaim(String uid, String driver) throws StoreException {
    database.write(
        () -> {
          for (String table : List.of("claim", "attachment", "step")) {
            database.update("DELETE FROM " + table + " WHERE uid = ? AND driver = ?", uid, driver);
          }
        });
  }

  /** Writes an attachment, and makes the steps of its journal those given; null leaves them. */
  void putAttachment(
      Key key,
      ClaimState state,
      Sandbox sandbox,
      List<AllocatedDeviceStatus> statuses,
      @Nullable List<Step> steps)
      throws StoreException {
    String document = Documents.ofAttachment(sandbox, statuses);
    database.write(
        () -> {
          put("attachment", key.uid(), key.driver(), key.sandbox(), state.name(), document);
          if (steps != null) {
            replaceSteps(key, steps);
          }
        });
  }

  void deleteAttachment(Key key) throws StoreException {
    database.write(
        () -> {
          delete("attachment", key);
          delete("step", key);
        });
  }

  /** Appends steps to a journal. */
  void appendSteps(Key key, List<Step> steps) throws StoreException {
    database.write(() -> insertSteps(key, steps));
  }

  /** Forgets all steps of a journal but so many of the oldest. */
  void keepSteps(Key key, int count) throws StoreException {
    // By order: the steps before may have been put aside, and their positions with them.
    database.write(
        () ->
            database.update(
                "DELETE FROM step WHERE uid = ?1 AND driver = ?2 AND sandbox = ?3 AND position NOT"
                    + " IN (SELECT position FROM step WHERE uid = ?1 AND driver = ?2 AND sandbox ="
                    + " ?3 ORDER BY position LIMIT ?4)",
                key.uid(),
                key.driver(),
                key.sandbox(),
                count));
  }

  private void replaceSteps(Key key, List<Step> steps) throws SQLException {
    delete("step", key);
    insertSteps(key, steps);
  }

  private void insertSteps(Key key, List<Step> steps) throws SQLException {
    long position =
        database.number(
            "SELECT coalesce(max(position) + 1, 0) FROM step"
                + " WHERE uid = ? AND driver = ? AND sandbox = ?",
            key.uid(),
            key.driver(),
            key.sandbox());
    for (Step step : steps) {
      String at = Long.toString(position++);
      put("step", key.uid(), key.driver(), key.sandbox(), at, step.name(), step.undo());
    }
  }

  /** Writes an entry with its checksum, in place of one of the same key. */
  private void put(String table, String... columns) throws SQLException {
    List<Object> values = new ArrayList<>(List.of(columns));
    values.add(StoreQuarantine.checksum(columns));
    String places = String.join(", ", values.stream().map(one -> "?").toList());
    database.update(
        "INSERT OR REPLACE INTO " + table + " VALUES (" + places + ")", values.toArray());
  }

  private void delete(String table, Key key) throws SQLException {
    database.update(
        "DELETE FROM " + table + " WHERE uid = ? AND driver = ? AND sandbox = ?",
        key.uid(),
        key.driver(),
        key.sandbox());
  }

  /** Why the last write failed; null if it did not. */
  @Nullable String problem() {
    return database.problem();
  }

  /**
   * Closes the store, so that another process can open it. Safe to repeat.
   *
   * @throws StoreException if the file cannot be closed
   */
  @Override
  public void close() throws StoreException {
    database.close();
  }
}
