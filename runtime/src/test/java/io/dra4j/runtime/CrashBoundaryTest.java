package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.runtime;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.spi.DriverException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The process is killed at every boundary of a claim's life. What is on the disk at that moment,
 * store and devices, is copied, and another process goes on with the copy: as it is, after a
 * reboot, or as a newer release that wrote more fields.
 */
class CrashBoundaryTest {

  /** What happens between the end of one process and the start of the next. */
  enum Between {
    NOTHING,
    REBOOT,
    UPGRADE,
    REBOOT_AND_UPGRADE;

    boolean isReboot() {
      return this == REBOOT || this == REBOOT_AND_UPGRADE;
    }

    boolean isUpgrade() {
      return this == UPGRADE || this == REBOOT_AND_UPGRADE;
    }
  }

  @TempDir private Path directory;
  private final List<Path> images = new ArrayList<>();
  private Path live;

  @BeforeEach
  void makeDirectory() throws Exception {
    live = makePrivate(directory.resolve("live"));
    Files.createDirectory(live.resolve("lamps"));
  }

  private static Path makePrivate(Path path) throws Exception {
    Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rwx------");
    return Files.createDirectory(path, PosixFilePermissions.asFileAttribute(mode));
  }

  /** What a kill would leave now. */
  private void image() {
    try {
      Path image = makePrivate(directory.resolve("image-" + images.size()));
      Files.createDirectory(image.resolve("lamps"));
      for (String name : List.of("store", "store-wal")) {
        if (Files.exists(live.resolve(name))) {
          Files.copy(live.resolve(name), image.resolve(name));
          Files.setPosixFilePermissions(
              image.resolve(name), PosixFilePermissions.fromString("rw-------"));
        }
      }
      try (var lamps = Files.list(live.resolve("lamps"))) {
        for (Path lamp : lamps.toList()) {
          Files.copy(lamp, image.resolve("lamps").resolve(lamp.getFileName()));
        }
      }
      images.add(image);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Goes through the life of two claims, and keeps what a kill at each boundary would leave. */
  private void live() throws Exception {
    LampDriver driver = new LampDriver(live.resolve("lamps"), "a", "b");
    driver.fault = step -> image();
    driver.isSettling = true;
    try (DriverRuntime runtime = runtime(live.resolve("store"), driver).bootId("boot-1").build()) {
      runtime.start();
      runtime.prepare(claim("x", "a", "b"));
      image();
      runtime.attach("uid-x", sandbox("s1", "p1"));
      image();
      runtime.detach("uid-x", "s1");
      runtime.unprepare("uid-x");
      image();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKillAtEveryBoundaryLosesNothing(Between between) throws Exception {
    live();
    int survived = 0;
    for (Path image : images) {
      LampDriver driver = new LampDriver(image.resolve("lamps"), "a", "b");
      if (between.isUpgrade()) {
        upgrade(image.resolve("store"));
      }
      if (between.isReboot()) {
        for (String lamp : driver.state()) {
          Files.delete(image.resolve("lamps").resolve(lamp));
        }
      }
      goOn(image, driver, between.isReboot() ? "boot-2" : "boot-1");
      survived++;
    }
    System.out.printf(
        "kill at every boundary, then %s: tried %d, survived %d, lost %d%n",
        between, images.size(), survived, images.size() - survived);
    assertThat(images).hasSizeGreaterThan(15);
  }

  /** The next process: the kubelet prepares again, the pod gets a new sandbox, and all ends. */
  private static void goOn(Path image, LampDriver driver, String boot) throws Exception {
    String name = image.getFileName().toString();
    try (DriverRuntime runtime = runtime(image.resolve("store"), driver).bootId(boot).build()) {
      runtime.start();
      assertThat(runtime.health().isReady()).as(name).isTrue();
      for (StoredClaim known : runtime.claims()) {
        assertThat(known.state()).as(name).isEqualTo(ClaimState.DONE);
        assertThat(known.boot()).as(name).isEqualTo(boot);
      }
      runtime.prepare(claim("x", "a", "b"));
      runtime.attach("uid-x", sandbox("s2", "p1"));
      assertThat(driver.state()).as(name).containsExactly("lit-a", "lit-b", "on-a", "on-b");
      runtime.unprepare("uid-x");
      assertThat(driver.state()).as(name).isEmpty();
    }
    assertThat(ClaimStore.read(image.resolve("store"))).as(name).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aFailureOfEachCallLosesNothing(Between between) throws Exception {
    int tried = 0;
    boolean hasFailed = true;
    for (int n = 1; hasFailed; n++) {
      Path own = makePrivate(directory.resolve(between + "-" + n));
      LampDriver driver = new LampDriver(Files.createDirectory(own.resolve("lamps")), "a", "b");
      AtomicInteger left = new AtomicInteger(n);
      driver.fault =
          step -> {
            if (left.decrementAndGet() == 0) {
              throw DriverException.failed("the " + step + " call fails", null);
            }
          };
      try (DriverRuntime runtime = runtime(own.resolve("store"), driver).bootId("boot-1").build()) {
        runtime.start();
        runtime.prepare(claim("x", "a", "b"));
        runtime.attach("uid-x", sandbox("s1", "p1"));
        runtime.unprepare("uid-x");
      } catch (ClaimException e) {
        assertThat(e).hasMessageContaining("call fails");
      }
      hasFailed = left.get() <= 0;
      driver.fault = step -> {};
      if (between.isUpgrade()) {
        upgrade(own.resolve("store"));
      }
      if (between.isReboot()) {
        for (String lamp : driver.state()) {
          Files.delete(own.resolve("lamps").resolve(lamp));
        }
      }
      goOn(own, driver, between.isReboot() ? "boot-2" : "boot-1");
      tried++;
    }
    System.out.printf(
        "n-th call fails, then %s: tried %d, survived %d, lost 0%n", between, tried, tried);
    assertThat(tried).isGreaterThan(10);
  }

  @Test
  void theImagesDiffer() throws Exception {
    live();
    assertThat(images.stream().map(CrashBoundaryTest::lamps).distinct())
        .hasSizeGreaterThanOrEqualTo(5);
  }

  private static List<String> lamps(Path image) {
    return new LampDriver(image.resolve("lamps"), "a").state();
  }

  /** As a newer release writes: a field more in every document. */
  static void upgrade(Path store) throws Exception {
    if (Files.notExists(store)) {
      return;
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store)) {
      more(connection, "claim", "uid", "driver", "state", "document");
      more(connection, "attachment", "uid", "driver", "sandbox", "state", "document");
    }
  }

  private static void more(Connection connection, String table, String... columns)
      throws Exception {
    List<String> updates = new ArrayList<>();
    try (Statement select = connection.createStatement();
        ResultSet rows = select.executeQuery("SELECT * FROM " + table)) {
      while (rows.next()) {
        String[] values = new String[columns.length];
        for (int i = 0; i < columns.length; i++) {
          values[i] = rows.getString(columns[i]);
        }
        int last = columns.length - 1;
        values[last] = "{\"later\":{\"more\":[1]}," + values[last].substring(1);
        updates.add(
            "UPDATE %s SET document = '%s', checksum = %d WHERE document = '%s'"
                .formatted(
                    table,
                    values[last].replace("'", "''"),
                    StoreQuarantine.checksum(values),
                    rows.getString("document").replace("'", "''")));
      }
    }
    try (Statement update = connection.createStatement()) {
      for (String one : updates) {
        update.executeUpdate(one);
      }
    }
  }
}
