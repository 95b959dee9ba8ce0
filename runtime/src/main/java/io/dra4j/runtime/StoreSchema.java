package io.dra4j.runtime;

import io.dra4j.runtime.internal.store.StoreDatabase;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The tables of a store, and the version of the schema. A store of the previous version is migrated
 * when it is opened. Additional fields in documents and additional keys in {@code meta} do not
 * change the version, so both releases can use such a store. A version that this release does not
 * know is refused.
 */
final class StoreSchema {

  /** The application ID that marks an SQLite file as a store: "dra4". */
  private static final int APPLICATION = 0x64726134;

  private static final int VERSION = 2;

  private static final List<String> TABLES =
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
              + " NULL, reason TEXT NOT NULL, document TEXT, uid TEXT, driver TEXT, sandbox TEXT)",
          "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
          "PRAGMA application_id = " + APPLICATION,
          "PRAGMA user_version = " + VERSION);

  /** The changes from version 1. */
  private static final List<String> FROM_VERSION_1 =
      List.of(
          "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
          "ALTER TABLE quarantine ADD COLUMN uid TEXT",
          "ALTER TABLE quarantine ADD COLUMN driver TEXT",
          "ALTER TABLE quarantine ADD COLUMN sandbox TEXT",
          "PRAGMA user_version = " + VERSION);

  private StoreSchema() {}

  /** Whether a file is empty: its process ended after creating it, before the first write. */
  static boolean isEmpty(StoreDatabase database) throws StoreException {
    return database.read(
        () ->
            database.number("PRAGMA application_id") == 0
                && database.number("PRAGMA user_version") == 0
                && database.number("SELECT count(*) FROM sqlite_master") == 0);
  }

  static void create(StoreDatabase database) throws StoreException {
    database.write(
        () -> {
          for (String sql : TABLES) {
            database.update(sql);
          }
        });
  }

  /** If a store has version 1, migrates it, assigns its claims to this boot, and returns true. */
  static boolean migrate(StoreDatabase database, String boot) throws StoreException {
    if (version(database) != 1) {
      return false;
    }
    database.write(
        () -> {
          for (String sql : FROM_VERSION_1) {
            database.update(sql);
          }
          StoreQuarantine.nameClaims(database);
          database.update("INSERT INTO meta VALUES ('migrated', ?)", boot);
        });
    return true;
  }

  /** Stores the boot and the release that use the store. */
  static void use(StoreDatabase database, String boot) throws StoreException {
    String release = StoreSchema.class.getPackage().getImplementationVersion();
    database.write(
        () -> {
          database.update("INSERT OR REPLACE INTO meta VALUES ('boot', ?)", boot);
          database.update(
              "INSERT OR REPLACE INTO meta VALUES ('release', ?)",
              release == null ? "development" : release);
        });
  }

  /** The names that the node has had, including the current one. */
  static Set<String> nodeNames(StoreDatabase database) throws StoreException {
    return Set.copyOf(
        database.read(
            () ->
                database.rows(
                    "SELECT DISTINCT substr(key, 6) FROM meta WHERE key LIKE 'node %'",
                    row -> row.getString(1))));
  }

  static void addNodeNames(StoreDatabase database, Collection<String> names) throws StoreException {
    database.write(
        () -> {
          for (String name : names) {
            database.update("INSERT OR REPLACE INTO meta VALUES (?, '')", "node " + name);
          }
        });
  }

  /**
   * The pools of claims' devices, as JSON; the key of a pool is its driver, a space and its name.
   */
  static Map<HeldPools.Id, String> pools(StoreDatabase database) throws StoreException {
    Map<HeldPools.Id, String> pools = new LinkedHashMap<>();
    if (version(database) >= 2) {
      database.read(
          () ->
              database.rows(
                  "SELECT substr(key, 6), value FROM meta WHERE key LIKE 'pool %' ORDER BY key",
                  row -> {
                    String[] id = row.getString(1).split(" ", 2);
                    if (id.length == 2) {
                      pools.put(new HeldPools.Id(id[0], id[1]), row.getString(2));
                    }
                    return id;
                  }));
    }
    return pools;
  }

  static void putPool(StoreDatabase database, HeldPools.Id id, String text) throws StoreException {
    database.write(
        () -> database.update("INSERT OR REPLACE INTO meta VALUES (?, ?)", keyOf(id), text));
  }

  static void deletePool(StoreDatabase database, HeldPools.Id id) throws StoreException {
    database.write(() -> database.update("DELETE FROM meta WHERE key = ?", keyOf(id)));
  }

  /** Moves a damaged pool to the quarantine. */
  static void putPoolAside(StoreDatabase database, HeldPools.Id id, String reason)
      throws StoreException {
    database.write(
        () -> {
          database.update(
              "INSERT INTO quarantine (source, entry, reason, document) SELECT 'pool', ?, ?, value"
                  + " FROM meta WHERE key = ?",
              List.of(id.driver(), id.pool()).toString(),
              reason,
              keyOf(id));
          database.update("DELETE FROM meta WHERE key = ?", keyOf(id));
        });
  }

  private static String keyOf(HeldPools.Id id) {
    return "pool " + id.driver() + " " + id.pool();
  }

  /** The boot in which a store was migrated to this version; empty if it never was. */
  static String migratedIn(StoreDatabase database) throws StoreException {
    if (version(database) < 2) {
      return "";
    }
    List<String> boots =
        database.read(
            () ->
                database.rows(
                    "SELECT value FROM meta WHERE key = 'migrated'", row -> row.getString(1)));
    return boots.isEmpty() ? "" : boots.get(0);
  }

  static long version(StoreDatabase database) throws StoreException {
    return database.read(() -> database.number("PRAGMA user_version"));
  }

  /** Refuses files that are not stores of a known version, and stores that SQLite finds damaged. */
  static void check(StoreDatabase database) throws StoreException {
    long application = database.read(() -> database.number("PRAGMA application_id"));
    if (application != APPLICATION) {
      throw new StoreException(
          "store %s is the database of another program".formatted(database.file()), null);
    }
    long version = version(database);
    if (version < 1 || version > VERSION) {
      throw new StoreException(
          ("store %s has version %d of the schema, but this release supports 1 to %d; use the"
                  + " release that wrote it")
              .formatted(database.file(), version, VERSION),
          null);
    }
    List<String> answers =
        database.read(() -> database.rows("PRAGMA quick_check(1)", row -> row.getString(1)));
    String answer = answers.isEmpty() ? "no answer" : answers.get(0);
    if (!answer.equals("ok")) {
      throw new StoreException(
          ("store %s is damaged: %s; move the file away to start with an empty store; devices"
                  + " that are attached now then stay where they are")
              .formatted(database.file(), answer),
          null);
    }
  }
}
