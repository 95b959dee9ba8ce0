package io.dra4j.runtime;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.ResourceClaim;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

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

  /** Says that a file of SQLite is a store: "dra4". */
  private static final int APPLICATION = 0x64726134;

  private static final int VERSION = 1;

  private static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE allocation (uid TEXT NOT NULL PRIMARY KEY, document TEXT NOT NULL,"
              + " checksum INTEGER NOT NULL) WITHOUT ROWID",
          "CREATE TABLE claim (uid TEXT NOT NULL, driver TEXT NOT NULL, state TEXT NOT NULL,"
              + " document TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (uid, driver))"
              + " WITHOUT ROWID",
          "CREATE TABLE attachment (uid TEXT NOT NULL, driver TEXT NOT NULL, sandbox TEXT NOT NULL,"
              + " state TEXT NOT NULL, document TEXT NOT NULL, checksum INTEGER NOT NULL,"
              + " PRIMARY KEY (uid, driver, sandbox)) WITHOUT ROWID",
          "CREATE TABLE step (uid TEXT NOT NULL, driver TEXT NOT NULL, sandbox TEXT NOT NULL,"
              + " position INTEGER NOT NULL, name TEXT NOT NULL, document TEXT NOT NULL,"
              + " checksum INTEGER NOT NULL, PRIMARY KEY (uid, driver, sandbox, position))"
              + " WITHOUT ROWID",
          "CREATE TABLE quarantine (id INTEGER PRIMARY KEY, source TEXT NOT NULL, entry TEXT NOT"
              + " NULL, reason TEXT NOT NULL, document TEXT)",
          "PRAGMA application_id = " + APPLICATION,
          "PRAGMA user_version = " + VERSION);

  /**
   * Which journal of steps is meant: that of preparing a claim, or that of attaching it.
   *
   * @param uid the unique id of the claim
   * @param driver the name of the driver
   * @param sandbox the id of the sandbox; empty for preparing
   */
  record Key(String uid, String driver, String sandbox) {}

  private final Path file;
  private final @Nullable StoreLock lock;
  private final Connection connection;
  private boolean closed;
  private volatile @Nullable String problem;

  private ClaimStore(Path file, @Nullable StoreLock lock, Connection connection) {
    this.file = file;
    this.lock = lock;
    this.connection = connection;
  }

  /**
   * Opens a store, and makes it if there is none.
   *
   * @param file the file; its folder must exist
   * @return the store
   * @throws StoreException if another process uses it, if it is not a store, if a newer version
   *     wrote it, or if it cannot be read or written
   */
  public static ClaimStore open(Path file) throws StoreException {
    return open(file, 0);
  }

  /**
   * Reads the claims of a store, which another process may use meanwhile, and changes nothing.
   *
   * @param file the file
   * @return the claims with their attachments, as of one moment
   * @throws StoreException if there is no such file, it is not a store, or an entry cannot be read
   */
  public static List<StoredClaim> read(Path file) throws StoreException {
    if (Files.notExists(file)) {
      throw new StoreException("store %s does not exist".formatted(file), null);
    }
    checkFile(file);
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(1_000);
    try (Connection connection = config.createConnection("jdbc:sqlite:" + file)) {
      ClaimStore store = new ClaimStore(file, null, connection);
      if (store.number("PRAGMA application_id") == 0) { // made, and not begun yet
        return List.of();
      }
      store.prepareSchema();
      connection.setAutoCommit(false);
      return store.claims();
    } catch (SQLException e) {
      throw failure(file, e);
    }
  }

  /** For tests of full disks: a store of at most so many pages of 4 KiB; 0 for no limit. */
  static ClaimStore open(Path file, int maxPages) throws StoreException {
    checkFile(file);
    StoreLock lock = StoreLock.take(file);
    try {
      return open(file, lock, maxPages);
    } catch (StoreException | RuntimeException | Error e) {
      try {
        lock.close();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static ClaimStore open(Path file, StoreLock lock, int maxPages) throws StoreException {
    Connection connection = null;
    try {
      SQLiteConfig config = new SQLiteConfig();
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      config.setLockingMode(SQLiteConfig.LockingMode.NORMAL);
      config.setBusyTimeout(1_000);
      if (maxPages > 0) {
        config.setMaxPageCount(maxPages);
      }
      connection = config.createConnection("jdbc:sqlite:" + file);
      ClaimStore store = new ClaimStore(file, lock, connection);
      store.prepareSchema();
      store.putBadEntriesAside();
      return store;
    } catch (SQLException | StoreException e) {
      if (connection != null) {
        try {
          connection.close();
        } catch (SQLException suppressed) {
          e.addSuppressed(suppressed);
        }
      }
      throw e instanceof StoreException known ? known : failure(file, (SQLException) e);
    }
  }

  /** SQLite would take any file for its own, down to an empty one. */
  private static void checkFile(Path file) throws StoreException {
    try {
      if (Files.notExists(file)) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && Files.notExists(folder)) {
          throw new StoreException(
              "store %s: folder %s does not exist".formatted(file, folder), null);
        }
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return;
      }
      if (!Files.isRegularFile(file)) {
        throw new StoreException("store %s is not a regular file".formatted(file), null);
      }
      byte[] head;
      try (var in = Files.newInputStream(file)) {
        head = in.readNBytes(16);
      }
      byte[] magic = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
      if (head.length > 0 && !Arrays.equals(head, magic)) {
        throw new StoreException(
            "store %s is no database of SQLite; move it away to begin with an empty store"
                .formatted(file),
            null);
      }
    } catch (StoreException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      throw new StoreException("store %s: %s".formatted(file, e), e);
    }
  }

  private void prepareSchema() throws SQLException, StoreException {
    long application = number("PRAGMA application_id");
    long version = number("PRAGMA user_version");
    if (application == 0 && version == 0 && number("SELECT count(*) FROM sqlite_master") == 0) {
      transaction(
          () -> {
            try (Statement statement = connection.createStatement()) {
              for (String sql : SCHEMA) {
                statement.executeUpdate(sql);
              }
            }
          });
      return;
    }
    if (application != APPLICATION) {
      throw new StoreException("store %s is a database of something else".formatted(file), null);
    }
    if (version != VERSION) {
      throw new StoreException(
          "store %s has version %d of its schema, and this is version %d"
              .formatted(file, version, VERSION),
          null);
    }
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery("PRAGMA quick_check(1)")) {
      String text = answer.next() ? answer.getString(1) : "no answer";
      if (!"ok".equals(text)) {
        throw new StoreException(
            ("store %s is damaged: %s; move it away to begin with an empty store, devices that are"
                    + " attached then stay where they are")
                .formatted(file, text),
            null);
      }
    }
  }

  private long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer = statement.executeQuery(sql)) {
      return answer.next() ? answer.getLong(1) : 0;
    }
  }

  // Reading.

  /**
   * The claims that were allocated on this host.
   *
   * @return claims with allocation
   * @throws StoreException if the store cannot be read
   */
  public synchronized List<ResourceClaim> allocations() throws StoreException {
    return read(
        () -> {
          List<ResourceClaim> claims = new ArrayList<>();
          try (PreparedStatement select =
                  connection.prepareStatement("SELECT document FROM allocation ORDER BY uid");
              ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              claims.add(Documents.toAllocation(rows.getString(1)));
            }
          }
          return List.copyOf(claims);
        });
  }

  /**
   * The claims that were prepared, or begun, with their attachments and steps.
   *
   * @return the claims by unique id and driver
   * @throws StoreException if the store cannot be read
   */
  public synchronized List<StoredClaim> claims() throws StoreException {
    return read(
        () -> {
          Map<Key, List<Step>> steps = steps();
          Map<Key, List<StoredAttachment>> attachments = attachments(steps);
          List<StoredClaim> claims = new ArrayList<>();
          try (PreparedStatement select =
                  connection.prepareStatement(
                      "SELECT uid, driver, state, document FROM claim ORDER BY uid, driver");
              ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              Key key = new Key(rows.getString(1), rows.getString(2), "");
              claims.add(
                  new StoredClaim(
                      key.driver(),
                      ClaimState.valueOf(rows.getString(3)),
                      Documents.toClaim(rows.getString(4)),
                      steps.getOrDefault(key, List.of()),
                      attachments.getOrDefault(key, List.of())));
            }
          }
          return List.copyOf(claims);
        });
  }

  private Map<Key, List<Step>> steps() throws SQLException {
    Map<Key, List<Step>> steps = new HashMap<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT uid, driver, sandbox, name, document FROM step"
                    + " ORDER BY uid, driver, sandbox, position");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        Key key = new Key(rows.getString(1), rows.getString(2), rows.getString(3));
        steps
            .computeIfAbsent(key, one -> new ArrayList<>())
            .add(new Step(rows.getString(4), rows.getString(5)));
      }
    }
    return steps;
  }

  private Map<Key, List<StoredAttachment>> attachments(Map<Key, List<Step>> steps)
      throws SQLException, IOException {
    Map<Key, List<StoredAttachment>> attachments = new HashMap<>();
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT uid, driver, sandbox, state, document FROM attachment"
                    + " ORDER BY uid, driver, sandbox");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        Key key = new Key(rows.getString(1), rows.getString(2), rows.getString(3));
        String document = rows.getString(5);
        attachments
            .computeIfAbsent(new Key(key.uid(), key.driver(), ""), one -> new ArrayList<>())
            .add(
                new StoredAttachment(
                    Documents.toSandbox(document),
                    ClaimState.valueOf(rows.getString(4)),
                    Documents.toStatuses(document),
                    steps.getOrDefault(key, List.of())));
      }
    }
    return attachments;
  }

  /**
   * What was put aside because it could not be understood, since the store was made.
   *
   * @return the entries, oldest first
   * @throws StoreException if the store cannot be read
   */
  public synchronized List<QuarantinedEntry> quarantined() throws StoreException {
    return read(
        () -> {
          List<QuarantinedEntry> entries = new ArrayList<>();
          try (PreparedStatement select =
                  connection.prepareStatement(
                      "SELECT source, entry, reason FROM quarantine ORDER BY id");
              ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
              entries.add(
                  new QuarantinedEntry(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
          }
          return List.copyOf(entries);
        });
  }

  // Writing.

  void putAllocation(ResourceClaim claim) throws StoreException {
    String uid = Objects.requireNonNull(claim.metadata().uid(), "the uid of an allocated claim");
    String document = Documents.ofAllocation(claim);
    write(
        () ->
            update(
                "INSERT OR REPLACE INTO allocation VALUES (?, ?, ?)",
                uid,
                document,
                checksum(uid, document)));
  }

  void deleteAllocation(String uid) throws StoreException {
    write(() -> update("DELETE FROM allocation WHERE uid = ?", uid));
  }

  /** Writes a claim, and makes the steps of its journal those given; null leaves them. */
  void putClaim(String driver, ClaimState state, PreparedClaim claim, @Nullable List<Step> steps)
      throws StoreException {
    String uid = claim.claim().uid();
    String document = Documents.ofClaim(claim);
    write(
        () -> {
          update(
              "INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?)",
              uid,
              driver,
              state.name(),
              document,
              checksum(uid, driver, state.name(), document));
          if (steps != null) {
            replaceSteps(new Key(uid, driver, ""), steps);
          }
        });
  }

  void deleteClaim(String uid, String driver) throws StoreException {
    write(
        () -> {
          update("DELETE FROM claim WHERE uid = ? AND driver = ?", uid, driver);
          update("DELETE FROM attachment WHERE uid = ? AND driver = ?", uid, driver);
          update("DELETE FROM step WHERE uid = ? AND driver = ?", uid, driver);
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
    write(
        () -> {
          update(
              "INSERT OR REPLACE INTO attachment VALUES (?, ?, ?, ?, ?, ?)",
              key.uid(),
              key.driver(),
              key.sandbox(),
              state.name(),
              document,
              checksum(key.uid(), key.driver(), key.sandbox(), state.name(), document));
          if (steps != null) {
            replaceSteps(key, steps);
          }
        });
  }

  void deleteAttachment(Key key) throws StoreException {
    write(
        () -> {
          update(
              "DELETE FROM attachment WHERE uid = ? AND driver = ? AND sandbox = ?",
              key.uid(),
              key.driver(),
              key.sandbox());
          replaceSteps(key, List.of());
        });
  }

  private void replaceSteps(Key key, List<Step> steps) throws SQLException {
    update(
        "DELETE FROM step WHERE uid = ? AND driver = ? AND sandbox = ?",
        key.uid(),
        key.driver(),
        key.sandbox());
    insertSteps(key, 0, steps);
  }

  /** Appends steps to a journal that has so many. */
  void appendSteps(Key key, int before, List<Step> steps) throws StoreException {
    write(() -> insertSteps(key, before, steps));
  }

  private void insertSteps(Key key, int before, List<Step> steps) throws SQLException {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      String position = Integer.toString(before + i);
      update(
          "INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?)",
          key.uid(),
          key.driver(),
          key.sandbox(),
          before + i,
          step.name(),
          step.undo(),
          checksum(key.uid(), key.driver(), key.sandbox(), position, step.name(), step.undo()));
    }
  }

  /** Forgets the newest steps of a journal. */
  void keepSteps(Key key, int count) throws StoreException {
    write(
        () ->
            update(
                "DELETE FROM step WHERE uid = ? AND driver = ? AND sandbox = ? AND position >= ?",
                key.uid(),
                key.driver(),
                key.sandbox(),
                count));
  }

  // Bad entries.

  private interface Check {
    void run(ResultSet row) throws SQLException, IOException;
  }

  private void putBadEntriesAside() throws SQLException {
    Map<String, Check> checks = new TreeMap<>();
    checks.put("allocation", row -> Documents.toAllocation(row.getString("document")));
    checks.put(
        "attachment",
        row -> {
          ClaimState.valueOf(row.getString("state"));
          Sandbox sandbox = Documents.toSandbox(row.getString("document"));
          Documents.toStatuses(row.getString("document"));
          if (!sandbox.id().equals(row.getString("sandbox"))) {
            throw new IOException("it is about sandbox " + sandbox.id());
          }
        });
    checks.put(
        "claim",
        row -> {
          ClaimState.valueOf(row.getString("state"));
          Documents.toClaim(row.getString("document"));
        });
    checks.put("step", row -> {});
    List<QuarantinedEntry> bad = new ArrayList<>();
    for (Map.Entry<String, Check> check : checks.entrySet()) {
      putAside(check.getKey(), check.getValue(), bad);
    }
    putAsideWithoutClaim("attachment", "uid, driver, sandbox", bad);
    putAsideWithoutClaim("step", "uid, driver, sandbox, position", bad);
  }

  private void putAside(String table, Check check, List<QuarantinedEntry> bad) throws SQLException {
    List<List<Object>> keys = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    int keyColumns =
        table.equals("step") ? 4 : table.equals("attachment") ? 3 : table.equals("claim") ? 2 : 1;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        String reason = reason(rows, columns, check);
        if (reason != null) {
          List<Object> key = new ArrayList<>();
          for (int i = 1; i <= keyColumns; i++) {
            key.add(rows.getObject(i));
          }
          keys.add(key);
          reasons.add(reason);
        }
      }
    }
    for (int i = 0; i < keys.size(); i++) {
      moveAside(table, keys.get(i), reasons.get(i));
      bad.add(new QuarantinedEntry(table, keys.get(i).toString(), reasons.get(i)));
    }
  }

  private static @Nullable String reason(ResultSet row, int columns, Check check)
      throws SQLException {
    String[] parts = new String[columns - 1];
    for (int i = 1; i < columns; i++) {
      parts[i - 1] = String.valueOf(row.getString(i));
    }
    if (row.getLong(columns) != checksum(parts)) {
      return "its checksum does not agree";
    }
    try {
      check.run(row);
      return null;
    } catch (IOException | RuntimeException e) {
      return "it cannot be read: " + e.getMessage();
    }
  }

  /** What belongs to a claim that is not there cannot be given to a driver. */
  private void putAsideWithoutClaim(String table, String key, List<QuarantinedEntry> bad)
      throws SQLException {
    List<List<Object>> keys = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT %s FROM %s AS t WHERE NOT EXISTS (SELECT 1 FROM claim WHERE claim.uid = t.uid AND claim.driver = t.driver)"
                    .formatted(key, table))) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<Object> one = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          one.add(rows.getObject(i));
        }
        keys.add(one);
      }
    }
    for (List<Object> one : keys) {
      String reason = "its claim is not there";
      moveAside(table, one, reason);
      bad.add(new QuarantinedEntry(table, one.toString(), reason));
    }
  }

  private void moveAside(String table, List<Object> key, String reason) throws SQLException {
    List<String> names = List.of("uid", "driver", "sandbox", "position").subList(0, key.size());
    String where = String.join(" AND ", names.stream().map(name -> name + " = ?").toList());
    transaction(
        () -> {
          List<Object> values = new ArrayList<>(List.of(table, key.toString(), reason));
          values.addAll(key);
          update(
              "INSERT INTO quarantine (source, entry, reason, document) SELECT ?, ?, ?, document FROM "
                  + table
                  + " WHERE "
                  + where,
              values.toArray());
          update("DELETE FROM " + table + " WHERE " + where, key.toArray());
        });
  }

  private static long checksum(String... parts) {
    CRC32C sum = new CRC32C();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      sum.update(bytes, 0, bytes.length);
      sum.update(0); // so that text cannot move from one part to the next
    }
    return sum.getValue();
  }

  // SQL.

  private interface Work {
    void run() throws SQLException;
  }

  private interface Reading<T> {
    T run() throws SQLException, IOException;
  }

  private void update(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  /** SQLite itself has undone what met a full disk; there is nothing to roll back then. */
  private void transaction(Work work) throws SQLException {
    update("BEGIN IMMEDIATE");
    try {
      work.run();
      update("COMMIT");
    } catch (SQLException | RuntimeException | Error e) {
      try {
        update("ROLLBACK");
      } catch (SQLException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private synchronized void write(Work work) throws StoreException {
    checkOpen();
    try {
      transaction(work);
      problem = null;
    } catch (SQLException e) {
      StoreException failure = failure(file, e);
      problem = failure.getMessage();
      throw failure;
    }
  }

  /** Why the last write failed; null if it did not. */
  @Nullable String problem() {
    return problem;
  }

  private <T> T read(Reading<T> reading) throws StoreException {
    checkOpen();
    try {
      return reading.run();
    } catch (SQLException e) {
      throw failure(file, e);
    } catch (IOException | RuntimeException e) { // it was checked when the store was opened
      throw new StoreException("store %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private void checkOpen() throws StoreException {
    if (closed) {
      throw new StoreException("store %s is closed".formatted(file), null);
    }
  }

  private static StoreException failure(Path file, SQLException e) {
    if (e instanceof SQLiteException known
        && known.getResultCode() == SQLiteErrorCode.SQLITE_FULL) {
      return new StoreException("store %s: the disk is full".formatted(file), e);
    }
    return new StoreException("store %s: %s".formatted(file, e.getMessage()), e);
  }

  /**
   * Closes the store, so that another process can open it. Safe to repeat.
   *
   * @throws StoreException if the file cannot be closed
   */
  @Override
  public synchronized void close() throws StoreException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      connection.close();
      if (lock != null) {
        lock.close();
      }
    } catch (SQLException e) {
      throw failure(file, e);
    } catch (IOException e) {
      throw new StoreException("store %s: %s".formatted(file, e), e);
    }
  }
}
