package io.dra4j.runtime;

import io.dra4j.runtime.internal.store.Documents;
import io.dra4j.runtime.internal.store.StoreDatabase;
import io.dra4j.spi.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Quarantines damaged records of a store: records whose checksum does not match, that cannot be
 * read, or whose claim is missing. They stay in the file, in a separate table.
 */
final class StoreQuarantine {

  /** Checks that a record can be read. */
  private interface Check {
    void run(ResultSet row) throws SQLException, IOException;
  }

  /** A table, the columns of its key, and the check of its records. */
  private record Source(String table, List<String> key, Check check) {

    /** The UID, driver and sandbox of a claim; nulls for a record without a claim. */
    List<@Nullable Object> ofClaim(List<Object> values) {
      List<@Nullable Object> names = new ArrayList<>();
      for (String column : List.of("uid", "driver", "sandbox")) {
        int place = key.contains("driver") ? key.indexOf(column) : -1;
        names.add(place >= 0 ? values.get(place) : key.contains("driver") ? "" : null);
      }
      return names;
    }

    String where() {
      return String.join(" AND ", key.stream().map(name -> name + " = ?").toList());
    }
  }

  private record Bad(Source source, List<Object> key, String reason) {}

  private static final List<Source> SOURCES =
      List.of(
          new Source(
              "allocation",
              List.of("uid"),
              row -> Documents.toAllocation(row.getString("document"))),
          new Source(
              "attachment", List.of("uid", "driver", "sandbox"), StoreQuarantine::checkAttachment),
          new Source(
              "claim",
              List.of("uid", "driver"),
              row -> {
                Documents.toClaim(row.getString("document"));
                Documents.bootOf(row.getString("document"));
              }),
          new Source("step", List.of("uid", "driver", "sandbox", "position"), row -> {}));

  private StoreQuarantine() {}

  private static void checkAttachment(ResultSet row) throws SQLException, IOException {
    Sandbox sandbox = Documents.toSandbox(row.getString("document"));
    Documents.toAttached(row.getString("document"));
    if (!sandbox.id().equals(row.getString("sandbox"))) {
      throw new IOException("it has the data of sandbox " + sandbox.id());
    }
  }

  /** Checks every record. */
  static void putBadEntriesAside(StoreDatabase database) throws StoreException {
    for (Source source : SOURCES) {
      move(database, database.read(() -> unreadable(database, source)));
    }
    for (Source source : SOURCES) {
      if (source.key().contains("sandbox")) {
        move(database, database.read(() -> withoutClaim(database, source)));
      }
    }
    putBadPoolsAside(database);
  }

  /** Checks pools, which are rows of {@code meta} without checksums. */
  private static void putBadPoolsAside(StoreDatabase database) throws StoreException {
    for (Map.Entry<HeldPools.Id, String> pool : StoreSchema.pools(database).entrySet()) {
      try {
        Documents.toPool(pool.getValue());
      } catch (IOException | RuntimeException e) {
        HeldPools.Id id = pool.getKey();
        StoreSchema.putPoolAside(
            database,
            id,
            "it cannot be read, so devices of claims in this pool are not published until its"
                + " driver offers the pool: "
                + e.getMessage());
      }
    }
  }

  /** The records that were quarantined since the store was created, oldest first. */
  static List<QuarantinedEntry> entries(StoreDatabase database) throws StoreException {
    return database.read(
        () ->
            database.rows(
                "SELECT source, entry, reason FROM quarantine ORDER BY id",
                row -> new QuarantinedEntry(row.getString(1), row.getString(2), row.getString(3))));
  }

  /**
   * The reasons why claims are quarantined, by UID and driver: they have damaged records, and no
   * operator has {@linkplain ClaimService#forget confirmed} that their devices are in order.
   */
  static Map<ClaimStore.Key, String> damaged(StoreDatabase database) throws StoreException {
    Map<ClaimStore.Key, String> damaged = new LinkedHashMap<>();
    if (StoreSchema.version(database) < 2) {
      return damaged;
    }
    database.read(
        () ->
            database.rows(
                "SELECT uid, driver, sandbox, source, entry, reason FROM quarantine WHERE uid IS"
                    + " NOT NULL ORDER BY id",
                row -> {
                  String what = row.getString("source") + " " + row.getString("entry");
                  damaged.putIfAbsent(
                      ClaimStore.Key.of(row), what + ": " + row.getString("reason"));
                  return what;
                }));
    return damaged;
  }

  /** Ends the quarantine of a claim; its damaged records stay in the file. */
  static void forget(StoreDatabase database, String uid, String driver) throws SQLException {
    database.update(
        "UPDATE quarantine SET uid = NULL, driver = NULL, sandbox = NULL WHERE uid = ? AND driver ="
            + " ?",
        uid,
        driver);
  }

  /** Adds the keys of claims, which version 1 of the schema stored only as text. */
  static void nameClaims(StoreDatabase database) throws SQLException {
    List<String[]> entries = new ArrayList<>();
    try {
      database.rows(
          "SELECT id, source, entry FROM quarantine WHERE source <> 'allocation'",
          row -> entries.add(new String[] {row.getString(1), row.getString(2), row.getString(3)}));
    } catch (IOException e) {
      throw new SQLException(e.getMessage(), e);
    }
    for (String[] entry : entries) {
      String[] key = entry[2].substring(1, entry[2].length() - 1).split(", ", -1);
      if (key.length >= 2) {
        database.update(
            "UPDATE quarantine SET uid = ?, driver = ?, sandbox = ? WHERE id = ?",
            key[0],
            key[1],
            entry[1].equals("claim") || key.length < 3 ? "" : key[2],
            entry[0]);
      }
    }
  }

  private static List<Bad> unreadable(StoreDatabase database, Source source)
      throws SQLException, IOException {
    List<Bad> bad = new ArrayList<>();
    database.rows(
        "SELECT * FROM " + source.table(),
        row -> {
          String reason = reason(row, source.check());
          if (reason != null) {
            bad.add(new Bad(source, key(row, source), reason));
          }
          return source;
        });
    return bad;
  }

  private static @Nullable String reason(ResultSet row, Check check) throws SQLException {
    int columns = row.getMetaData().getColumnCount();
    String[] parts = new String[columns - 1];
    for (int i = 1; i < columns; i++) {
      parts[i - 1] = Objects.toString(row.getString(i));
    }
    if (row.getLong(columns) != checksum(parts)) {
      return "its checksum does not match";
    }
    try {
      check.run(row);
      return null;
    } catch (IOException | RuntimeException e) {
      return "it cannot be read: " + e.getMessage();
    }
  }

  /** Finds records whose claim is missing; they cannot be passed to a driver. */
  private static List<Bad> withoutClaim(StoreDatabase database, Source source)
      throws SQLException, IOException {
    return database.rows(
        "SELECT %s FROM %s AS t WHERE NOT EXISTS (SELECT 1 FROM claim WHERE claim.uid = t.uid AND claim.driver = t.driver)"
            .formatted(String.join(", ", source.key()), source.table()),
        row -> new Bad(source, key(row, source), "its claim is missing"));
  }

  private static List<Object> key(ResultSet row, Source source) throws SQLException {
    List<Object> key = new ArrayList<>();
    for (String column : source.key()) {
      key.add(row.getObject(column));
    }
    return key;
  }

  private static void move(StoreDatabase database, List<Bad> entries) throws StoreException {
    for (Bad one : entries) {
      String table = one.source().table();
      String where = one.source().where();
      List<Object> values = new ArrayList<>(List.of(table, one.key().toString(), one.reason()));
      values.addAll(one.source().ofClaim(one.key()));
      values.addAll(one.key());
      database.write(
          () -> {
            database.update(
                "INSERT INTO quarantine (source, entry, reason, uid, driver, sandbox, document)"
                    + " SELECT ?, ?, ?, ?, ?, ?, document FROM "
                    + table
                    + " WHERE "
                    + where,
                values.toArray());
            database.update("DELETE FROM " + table + " WHERE " + where, one.key().toArray());
          });
    }
  }

  /** The checksum (CRC-32C) of a record's columns, in the order of its table. */
  static long checksum(String... parts) {
    CRC32C sum = new CRC32C();
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      sum.update(bytes, 0, bytes.length);
      sum.update(0); // so that text moved from one part to the next changes the sum
    }
    return sum.getValue();
  }
}
