package io.dra4j.runtime.internal.store;

import io.dra4j.runtime.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The file of a store, open in SQLite: queries, transactions that are on the disk when they end,
 * and failures that name the file. StoreSchema and ClaimStore define its content. Thread-safe.
 */
public final class StoreDatabase implements AutoCloseable {

  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);
  private static final int BUSY_MILLIS = 1_000;

  /** Changes rows. */
  public interface Work {
    void run() throws SQLException;
  }

  /** Reads a value from rows. */
  public interface Reading<T> {
    T run() throws SQLException, IOException;
  }

  /** Reads a value from the current row of the result. */
  public interface Row<T> {
    T read(ResultSet row) throws SQLException, IOException;
  }

  private final Path file;
  private final @Nullable StoreLock lock;
  private final Connection connection;
  private boolean closed;
  private volatile @Nullable String problem;

  private StoreDatabase(Path file, @Nullable StoreLock lock, Connection connection) {
    this.file = file;
    this.lock = lock;
    this.connection = connection;
  }

  /**
   * Opens a file for this process only. Creates an empty one if there is none.
   *
   * @param maxPages the most pages of 4 KiB; 0 for no limit
   */
  public static StoreDatabase open(Path file, int maxPages) throws StoreException {
    checkDirectory(file);
    StoreRights.checkDirectory(file);
    StoreLock lock = StoreLock.take(file);
    try {
      makeOrCheck(file);
      SQLiteConfig config = new SQLiteConfig();
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      config.setBusyTimeout(BUSY_MILLIS);
      if (maxPages > 0) {
        config.setMaxPageCount(maxPages);
      }
      return new StoreDatabase(file, lock, config.createConnection("jdbc:sqlite:" + file));
    } catch (SQLException e) {
      lock.close();
      throw failure(file, e);
    } catch (StoreException | RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Opens a file for reading while others may use it. Only SQLite may open it: closing any other
   * descriptor would release the locks that this process has on the file (POSIX).
   */
  public static StoreDatabase openToRead(Path file) throws StoreException {
    if (Files.notExists(file)) {
      throw new StoreException("store %s does not exist".formatted(file), null);
    }
    checkRegular(file);
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    try {
      return new StoreDatabase(file, null, config.createConnection("jdbc:sqlite:" + file));
    } catch (SQLException e) {
      throw failure(file, e);
    }
  }

  private static void checkDirectory(Path file) throws StoreException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null && Files.notExists(directory)) {
      throw new StoreException(
          "store %s: directory %s does not exist".formatted(file, directory), null);
    }
  }

  private static void checkRegular(Path file) throws StoreException {
    if (!Files.isRegularFile(file)) {
      throw new StoreException("store %s is not a regular file".formatted(file), null);
    }
  }

  /** Creates or checks the file, since SQLite accepts any file, even an empty one. */
  private static void makeOrCheck(Path file) throws StoreException {
    try {
      if (Files.notExists(file)) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return;
      }
      checkRegular(file);
      byte[] head;
      try (var in = Files.newInputStream(file)) {
        head = in.readNBytes(MAGIC.length);
      }
      if (head.length > 0 && !Arrays.equals(head, MAGIC)) {
        throw notOfSqlite(file, null);
      }
    } catch (StoreException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      throw new StoreException("store %s: %s".formatted(file, e), e);
    }
  }

  private static StoreException notOfSqlite(Path file, @Nullable Throwable cause) {
    return new StoreException(
        "store %s is not an SQLite database; move the file away to start with an empty store"
            .formatted(file),
        cause);
  }

  public Path file() {
    return file;
  }

  /** Returns all rows of a query, in its order. */
  public <T> List<T> rows(String sql, Row<T> row) throws SQLException, IOException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(sql);
        ResultSet result = select.executeQuery()) {
      while (result.next()) {
        rows.add(row.read(result));
      }
    }
    return List.copyOf(rows);
  }

  /** Returns the strings of all rows of a query with values. */
  public List<String[]> texts(String sql, Object... values) throws SQLException {
    List<String[]> rows = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      set(select, values);
      try (ResultSet result = select.executeQuery()) {
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
          String[] row = new String[columns];
          for (int i = 0; i < columns; i++) {
            row[i] = result.getString(i + 1);
          }
          rows.add(row);
        }
      }
    }
    return rows;
  }

  public long number(String sql, Object... values) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      set(select, values);
      try (ResultSet answer = select.executeQuery()) {
        return answer.next() ? answer.getLong(1) : 0;
      }
    }
  }

  public void update(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, values);
      statement.executeUpdate();
    }
  }

  private static void set(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Writes in a transaction: all changes or none. */
  public synchronized void write(Work work) throws StoreException {
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

  /** Runs a transaction. After a full disk, SQLite itself has rolled it back already. */
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

  /** Runs several queries that read the data of one moment. */
  public synchronized <T> T read(Reading<T> reading) throws StoreException {
    checkOpen();
    try {
      update("BEGIN");
      try {
        return reading.run();
      } finally {
        update("COMMIT");
      }
    } catch (SQLException e) {
      throw failure(file, e);
    } catch (IOException | RuntimeException e) { // records were checked when the store was opened
      throw new StoreException("store %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private void checkOpen() throws StoreException {
    if (closed) {
      throw new StoreException("store %s is closed".formatted(file), null);
    }
  }

  /** Returns the reason why the last write failed; null if it succeeded. */
  public @Nullable String problem() {
    return problem;
  }

  private static StoreException failure(Path file, SQLException e) {
    SQLiteErrorCode code =
        e instanceof SQLiteException known ? known.getResultCode() : SQLiteErrorCode.UNKNOWN_ERROR;
    return switch (code) {
      case SQLITE_FULL -> new StoreException("store %s: the disk is full".formatted(file), e);
      case SQLITE_NOTADB -> notOfSqlite(file, e);
      default -> new StoreException("store %s: %s".formatted(file, e.getMessage()), e);
    };
  }

  /** Closes the file, so that another process can open it. Safe to repeat. */
  @Override
  public synchronized void close() throws StoreException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      try {
        connection.close();
      } finally {
        if (lock != null) {
          lock.close();
        }
      }
    } catch (SQLException e) {
      throw failure(file, e);
    }
  }
}
