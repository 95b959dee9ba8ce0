package io.dra4j.runtime.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.runtime.ClaimStore;
import io.dra4j.runtime.StoreException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has rights to a store, and who can keep it from being opened. */
class StoreRightsTest {

  @TempDir private Path directory;

  private static void mode(Path path, String mode) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxr-xr-x", "rwx--x--x", "rwxrwx---", "rwxrwxrwx"})
  void aDirectoryThatOthersHaveRightsToIsRefused(String mode) throws Exception {
    mode(directory, mode);

    assertThatThrownBy(() -> ClaimStore.open(directory.resolve("store")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("users other than its owner have access to directory " + directory)
        .hasMessageContaining("run chmod 700 " + directory);
    assertThat(directory).isEmptyDirectory();
    mode(directory, "rwx------");
    ClaimStore.open(directory.resolve("store")).close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-rw-rw-", "rw-r--r--", "rw----r--", "rwxrwxrwx"})
  void aStoreThatOthersHaveRightsToIsRefused(String mode) throws Exception {
    Path store = directory.resolve("store");
    ClaimStore.open(store).close();
    mode(store, mode);

    for (int i = 0; i < 2; i++) { // the lock is given back
      assertThatThrownBy(() -> ClaimStore.open(store))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("run chmod 600 " + store);
    }
    mode(store, "rw-------");
    ClaimStore.open(store).close();
  }

  @Test
  void aDirectoryOfAnotherUserIsRefused() throws Exception {
    assumeTrue(
        Files.getAttribute(directory, "unix:uid").equals(0), "only root gives directories away");
    Files.setAttribute(directory, "unix:uid", 65_534);

    assertThatThrownBy(() -> ClaimStore.open(directory.resolve("store")))
        .hasMessageContaining("belongs to user 65534");
    Files.setAttribute(directory, "unix:uid", 0);
  }

  @Test
  void everyFileOfAStoreIsItsOwnersAlone() throws Exception {
    Path store = directory.resolve("store");
    Files.createFile(directory.resolve("store.lock")); // as an earlier release made it
    mode(directory.resolve("store.lock"), "rw-r--r--");
    try (ClaimStore opened = ClaimStore.open(store);
        var files = Files.list(directory)) {
      assertThat(opened.claims()).isEmpty();
      for (Path file : files.toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .isEqualTo("rw-------");
      }
    }
  }

  @Test
  void aProcessThatReadsTheLockFileDoesNotLockTheStore() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3");
    Path store = directory.resolve("store");
    ClaimStore.open(store).close();
    Process reader =
        new ProcessBuilder(
                "/usr/bin/python3",
                "-c",
                "import fcntl,sys; f=open(sys.argv[1]); fcntl.lockf(f, fcntl.LOCK_SH);"
                    + " print('locked', flush=True); sys.stdin.read()",
                directory.resolve("store.lock").toString())
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(reader.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).isEqualTo("locked");
      try (ClaimStore opened = ClaimStore.open(store)) {
        assertThat(opened.claims()).isEmpty();
        assertThat(otherProcessOpens(store)).contains("is in use by process");
        reader.destroyForcibly().waitFor();
        assertThat(otherProcessOpens(store)).contains("is in use by process");
      }
      assertThat(otherProcessOpens(store)).isEqualTo("opened");
    } finally {
      reader.destroyForcibly();
    }
  }

  private static String otherProcessOpens(Path store) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path")
                    + ":"
                    + System.getProperty("jdk.module.path", ""),
                Opening.class.getName(),
                store.toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return out.strip();
  }

  /** Another process. */
  public static final class Opening {

    private Opening() {}

    /**
     * Opens a store and closes it again.
     *
     * @param args the file
     */
    public static void main(String[] args) {
      try {
        ClaimStore.open(Path.of(args[0])).close();
        System.out.println("opened");
      } catch (StoreException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
