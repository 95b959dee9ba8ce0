package io.dra4j.runtime;

import io.dra4j.model.AllocationResult;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.runtime.internal.store.BootId;
import io.dra4j.runtime.internal.store.Documents;
import io.dra4j.runtime.internal.store.StoreDatabase;
import io.dra4j.runtime.internal.store.StoreRights;
import io.dra4j.spi.Attached;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import io.dra4j.spi.publish.DevicePool;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that a runtime keeps across restarts: allocated claims, prepared claims, attachments,
 * and their recorded steps. The store is an SQLite file in write-ahead mode. Each write is atomic,
 * and on the disk when the method returns ({@code synchronous=FULL}). Every record has a checksum
 * over its key and content. When the store is opened, damaged records are moved to a quarantine
 * ({@link #quarantined}), and their claims are quarantined ({@link ClaimState#DAMAGED}); the other
 * records are used. A store of an earlier release is migrated to the current schema. Fields that a
 * newer release wrote are preserved.
 *
 * <p>A store belongs to one process, which a lock on the file {@code STORE.lock} ensures. The
 * process executes the steps in the store with its own permissions, so only its user may have
 * access to the file (mode 0600) and its directory (mode 0700). The usual file is {@link
 * #DEFAULT_FILE}. The store must survive a reboot, so that the runtime recognises claims from
 * before the reboot. Thread-safe.
 */
public final class ClaimStore implements AutoCloseable {

  /**
   * The key of a journal of steps, either for preparing or for attaching a claim.
   *
   * @param uid the UID of the claim
   * @param driver the name of the driver
   * @param sandbox the ID of the sandbox; empty for preparing
   */
  record Key(String uid, String driver, String sandbox) {

    static Key of(ResultSet row) throws SQLException {
      return new Key(row.getString("uid"), row.getString("driver"), row.getString("sandbox"));
    }

    Key ofClaim() {
      return new Key(uid, driver, "");
    }
  }

  /** The usual file of the store of a host. */
  public static final Path DEFAULT_FILE = Path.of("/var/lib/dra4j/claims.db");

  private static final Logger LOG = LoggerFactory.getLogger(ClaimStore.class);

  private final StoreDatabase database;
  private final String boot;

  private ClaimStore(StoreDatabase database, String boot) {
    this.database = database;
    this.boot = boot;
  }

  /**
   * Opens a store. Creates it if it does not exist.
   *
   * @param file the file; its directory must exist
   * @return the store
   * @throws StoreException if the store is in use, the file is not a store, has a newer schema or
   *     cannot be read or written, or users other than its owner can access it or its directory
   */
  public static ClaimStore open(Path file) throws StoreException {
    return open(file, BootId.current());
  }

  /** Opens a store in a boot of the host. */
  static ClaimStore open(Path file, String boot) throws StoreException {
    return open(file, boot, 0);
  }

  /** Opens a store of at most this many pages of 4 KiB, for tests of full disks; 0 for no limit. */
  static ClaimStore open(Path file, String boot, int maxPages) throws StoreException {
    StoreDatabase database = StoreDatabase.open(file, maxPages);
    try {
      boolean isEmpty = StoreSchema.isEmpty(database);
      if (!isEmpty) {
        StoreSchema.check(database);
      }
      StoreRights.checkFiles(file);
      if (isEmpty) {
        StoreSchema.create(database);
      }
      boolean isMigrated = StoreSchema.migrate(database, boot);
      StoreQuarantine.putBadEntriesAside(database);
      StoreSchema.use(database, boot);
      ClaimStore store = new ClaimStore(database, boot);
      if (isMigrated) {
        store.nameNodes(store.poolNames()); // a driver had one pool then, named after the node
      }
      return store;
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
   * Reads the claims of a store without changing it, even while this or another process uses it.
   *
   * @param file the file
   * @return the claims with their attachments, as of one moment
   * @throws StoreException if there is no such file, it is not a store, or a record cannot be read
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

  /**
   * Reads the quarantined claims of a driver without changing the store, even while it is in use.
   *
   * @param file the file
   * @param driver the name of the driver
   * @return the reasons by the UID of the claim, including claims without any readable record
   * @throws StoreException if there is no such file, or it is not a store
   */
  public static Map<String, String> damagedClaims(Path file, String driver) throws StoreException {
    Map<String, String> reasons = new LinkedHashMap<>();
    try (StoreDatabase database = StoreDatabase.openToRead(file)) {
      if (!StoreSchema.isEmpty(database)) {
        StoreSchema.check(database);
        StoreQuarantine.damaged(database)
            .forEach(
                (key, reason) -> {
                  if (key.driver().equals(driver)) {
                    reasons.putIfAbsent(key.uid(), reason);
                  }
                });
      }
    }
    return reasons;
  }

  // Reading.

  /**
   * {@return the claims that were allocated on this host, with their allocations}
   *
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
   * {@return the claims that were prepared, or whose preparation has started, with their
   * attachments and steps, ordered by UID and driver}
   *
   * @throws StoreException if the store cannot be read
   */
  public List<StoredClaim> claims() throws StoreException {
    return claims(database);
  }

  private static List<StoredClaim> claims(StoreDatabase database) throws StoreException {
    Map<Key, String> damaged = StoreQuarantine.damaged(database);
    String migratedIn = StoreSchema.migratedIn(database);
    return database.read(
        () -> {
          Map<Key, List<Step>> steps = steps(database);
          Map<Key, List<StoredAttachment>> attachments = attachments(database, steps, damaged);
          return database.rows(
              "SELECT uid, driver, '' AS sandbox, state, document FROM claim ORDER BY uid, driver",
              row -> {
                Key key = Key.of(row);
                String document = row.getString("document");
                String boot = Documents.bootOf(document);
                return new StoredClaim(
                    key.driver(),
                    stateOf(key, row, damaged),
                    Documents.toClaim(document),
                    boot.isEmpty() ? migratedIn : boot,
                    steps.getOrDefault(key, List.of()),
                    attachments.getOrDefault(key, List.of()));
              });
        });
  }

  private static ClaimState stateOf(Key key, ResultSet row, Map<Key, String> damaged)
      throws SQLException {
    return damaged.containsKey(key)
        ? ClaimState.DAMAGED
        : ClaimState.ofText(row.getString("state"));
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
      StoreDatabase database, Map<Key, List<Step>> steps, Map<Key, String> damaged)
      throws SQLException, IOException {
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
                      stateOf(key, row, damaged),
                      Documents.toAttached(document),
                      steps.getOrDefault(key, List.of())));
        });
    return attachments;
  }

  /**
   * {@return the damaged records that were quarantined since the store was created, oldest first}
   *
   * @throws StoreException if the store cannot be read
   */
  public List<QuarantinedEntry> quarantined() throws StoreException {
    return StoreQuarantine.entries(database);
  }

  /** The reasons why claims are quarantined: the damaged records. */
  Map<Key, String> damaged() throws StoreException {
    return StoreQuarantine.damaged(database);
  }

  /** The pools of the devices of claims. */
  private Set<String> poolNames() throws StoreException {
    Set<String> pools = new HashSet<>();
    for (StoredClaim claim : claims()) {
      claim.claim().claimed().devices().forEach(device -> pools.add(device.id().pool()));
    }
    for (ResourceClaim claim : allocations()) {
      AllocationResult allocation = claim.allocation();
      if (allocation != null) {
        allocation.results().forEach(result -> pools.add(result.pool()));
      }
    }
    return pools;
  }

  /**
   * {@return the pools of the devices of claims, without the devices, as a modifiable map; pools
   * that cannot be read are logged and missing}
   */
  Map<HeldPools.Id, DevicePool> heldPools() throws StoreException {
    return heldPools(database);
  }

  private static Map<HeldPools.Id, DevicePool> heldPools(StoreDatabase database)
      throws StoreException {
    Map<HeldPools.Id, DevicePool> pools = new LinkedHashMap<>();
    StoreSchema.pools(database)
        .forEach(
            (id, text) -> {
              try {
                pools.put(id, Documents.toPool(text));
              } catch (IOException e) {
                LOG.atWarn()
                    .addKeyValue("driver", id.driver())
                    .addKeyValue("pool", id.pool())
                    .log(
                        "cannot read a pool in the store; devices of claims in this pool are not"
                            + " published until its driver offers the pool: {}",
                        e.getMessage());
              }
            });
    return pools;
  }

  /** Reads the pools of a store, which another process may use at the same time. */
  static Map<HeldPools.Id, DevicePool> readHeldPools(Path file) throws StoreException {
    try (StoreDatabase database = StoreDatabase.openToRead(file)) {
      return StoreSchema.isEmpty(database) ? Map.of() : heldPools(database);
    }
  }

  /** The names that the node has had since the store was created. */
  Set<String> nodeNames() throws StoreException {
    return StoreSchema.nodeNames(database);
  }

  /** Stores names of the node. */
  void nameNodes(Collection<String> names) throws StoreException {
    StoreSchema.addNodeNames(database, names);
  }

  /** The boot of the host in which the store was opened; empty if it is not known. */
  String boot() {
    return boot;
  }

  // Writing.

  void putAllocation(ResourceClaim claim) throws StoreException {
    String uid = Objects.requireNonNull(claim.metadata().uid(), "the uid of an allocated claim");
    String document = Documents.ofAllocation(claim);
    database.write(() -> put("allocation", uid, document));
  }

  void putPool(HeldPools.Id id, DevicePool pool) throws StoreException {
    StoreSchema.putPool(database, id, Documents.ofPool(id.driver(), id.pool(), pool));
  }

  void deletePool(HeldPools.Id id) throws StoreException {
    StoreSchema.deletePool(database, id);
  }

  void deleteAllocation(String uid) throws StoreException {
    database.write(() -> database.update("DELETE FROM allocation WHERE uid = ?", uid));
  }

  /** Writes a claim, and replaces the steps of its journal; null keeps them. */
  void putClaim(String driver, ClaimState state, PreparedClaim claim, @Nullable List<Step> steps)
      throws StoreException {
    Key key = new Key(claim.claim().uid(), driver, "");
    String document = Documents.ofClaim(claim, boot);
    database.write(
        () -> {
          put("claim", key.uid(), driver, state.name(), document);
          if (steps != null) {
            replaceSteps(key, steps);
          }
        });
  }

  /** Changes the state of an existing claim. */
  void setClaimState(Key key, ClaimState state) throws StoreException {
    change("claim", key.ofClaim(), state, document -> document);
  }

  /** Changes the consumers of an existing claim. */
  void setReservedFor(Key key, List<ResourceClaimConsumerReference> consumers)
      throws StoreException {
    change("claim", key.ofClaim(), null, text -> Documents.withReservedFor(text, consumers));
  }

  /** Changes the state of an existing attachment. */
  void setAttachmentState(Key key, ClaimState state) throws StoreException {
    change("attachment", key, state, document -> document);
  }

  /** Changes the facts about the sandbox of an existing attachment. */
  void setSandbox(Key key, Sandbox sandbox) throws StoreException {
    change("attachment", key, null, text -> Documents.withSandbox(text, sandbox));
  }

  /** Changes the document of a record. */
  private interface Change {
    String of(String document) throws IOException;
  }

  /** Changes a record, and keeps the fields of its document that this release does not know. */
  private void change(String table, Key key, @Nullable ClaimState state, Change change)
      throws StoreException {
    boolean isOfSandbox = table.equals("attachment");
    String where = " WHERE uid = ? AND driver = ?" + (isOfSandbox ? " AND sandbox = ?" : "");
    List<Object> values = new ArrayList<>(List.of(key.uid(), key.driver()));
    if (isOfSandbox) {
      values.add(key.sandbox());
    }
    database.write(
        () -> {
          for (String[] row :
              database.texts("SELECT state, document FROM " + table + where, values.toArray())) {
            List<String> columns = new ArrayList<>();
            values.forEach(value -> columns.add(value.toString()));
            columns.add(state == null ? row[0] : state.name());
            try {
              columns.add(change.of(row[1]));
            } catch (IOException e) {
              throw new SQLException(table + " " + values + ": " + e.getMessage(), e);
            }
            put(table, columns.toArray(String[]::new));
          }
        });
  }

  /**
   * Removes a claim of a driver with its attachments and steps, and ends its quarantine. Nothing is
   * undone: an operator has brought its devices back. Quarantined records stay in the file. An
   * unknown claim is not an error.
   *
   * @param uid the UID of the claim
   * @param driver the name of the driver
   * @throws StoreException if the store cannot be written
   */
  public void forget(String uid, String driver) throws StoreException {
    database.write(
        () -> {
          deleteRows(uid, driver);
          StoreQuarantine.forget(database, uid, driver);
        });
  }

  void deleteClaim(String uid, String driver) throws StoreException {
    database.write(() -> deleteRows(uid, driver));
  }

  private void deleteRows(String uid, String driver) throws SQLException {
    for (String table : List.of("claim", "attachment", "step")) {
      database.update("DELETE FROM " + table + " WHERE uid = ? AND driver = ?", uid, driver);
    }
  }

  /** Writes an attachment, and replaces the steps of its journal; null keeps them. */
  void putAttachment(
      Key key, ClaimState state, Sandbox sandbox, Attached attached, @Nullable List<Step> steps)
      throws StoreException {
    String document = Documents.ofAttachment(sandbox, attached);
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

  /** Removes all steps of a journal except this number of the oldest ones. */
  void keepSteps(Key key, int count) throws StoreException {
    // By order: earlier steps may be in quarantine, and their positions are missing then.
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

  /** Writes a record with its checksum. Replaces a record with the same key. */
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

  /** The reason why the last write failed; null if it succeeded. */
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
