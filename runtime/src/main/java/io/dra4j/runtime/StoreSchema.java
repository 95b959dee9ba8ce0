package io.dra4j.runtime;

import java.util.List;

/** The tables of a store, and their version. */
final class StoreSchema {

  /** Says that a file of SQLite is a store: "dra4". */
  private static final int APPLICATION = 0x64726134;

  private static final int VERSION = 1;

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
              + " NULL, reason TEXT NOT NULL, document TEXT)",
          "PRAGMA application_id = " + APPLICATION,
          "PRAGMA user_version = " + VERSION);

  private StoreSchema() {}

  /** Whether a file has nothing in it: it was made, and its process ended before it wrote. */
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

  /** Refuses what is not a store of this version, and one that SQLite finds damaged. */
  static void check(StoreDatabase database) throws StoreException {
    long application = database.read(() -> database.number("PRAGMA application_id"));
    if (application != APPLICATION) {
      throw new StoreException(
          "store %s is a database of something else".formatted(database.file()), null);
    }
    long version = database.read(() -> database.number("PRAGMA user_version"));
    if (version != VERSION) {
      throw new StoreException(
          "store %s has version %d of its schema, and this is version %d"
              .formatted(database.file(), version, VERSION),
          null);
    }
    List<String> answers =
        database.read(() -> database.rows("PRAGMA quick_check(1)", row -> row.getString(1)));
    String answer = answers.isEmpty() ? "no answer" : answers.get(0);
    if (!answer.equals("ok")) {
      throw new StoreException(
          ("store %s is damaged: %s; move it away to begin with an empty store, devices that are"
                  + " attached then stay where they are")
              .formatted(database.file(), answer),
          null);
    }
  }
}
