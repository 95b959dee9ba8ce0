package io.dra4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Sandbox;
import io.dra4j.spi.Step;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stores that releases wrote: {@code store-1.sql} of schema 1, {@code store-2.sql} of schema 2, and
 * {@code store-2-newer.sql} of schema 2 as a later release writes it, with more fields in every
 * document and another state.
 */
class StoreSchemaTest {

  private static final String BOOT = "boot-2";

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("store");
  }

  @ParameterizedTest
  @ValueSource(strings = {"store-1.sql", "store-2.sql", "store-2-newer.sql"})
  void theStoreOfAReleaseIsReadWhole(String golden) throws Exception {
    load(golden);

    List<StoredClaim> beside = ClaimStore.read(file);
    try (ClaimStore store = ClaimStore.open(file, BOOT)) {
      assertThat(store.quarantined()).isEmpty();
      assertThat(store.damaged()).isEmpty();
      assertThat(store.allocations()).containsExactly(RuntimeFixture.claim("x", "a", "b"));
      assertThat(beside).hasSize(2);
      List<StoredClaim> claims = store.claims();
      assertThat(claims).extracting(StoredClaim::uid).containsExactly("uid-x", "uid-y");
      StoredClaim done = claims.get(0);
      assertThat(done.state()).isEqualTo(ClaimState.DONE);
      assertThat(done.steps()).containsExactly(new Step("on a", "on-a"), new Step("on b", "on-b"));
      assertThat(done.claim().claimed().reservedFor())
          .containsExactly(new ResourceClaimConsumerReference("", "pods", "p", "p1"));
      assertThat(done.claim().claimed().devices().get(0).configurations())
          .extracting(one -> one.parameters())
          .containsExactly("{\"dim\":true}");
      PreparedDevice device = done.claim().prepared().devices().get(0);
      assertThat(device.state()).isEqualTo("{\"v\":1}");
      assertThat(device.edits().environment()).containsEntry("A", "1");
      assertThat(device.edits().deviceNodes())
          .containsExactly(new DeviceNode("/dev/lamp0", DeviceNode.Kind.CHARACTER, 240, 7));
      assertThat(device.edits().mounts()).hasSize(1);
      assertThat(device.edits().hooks()).isEmpty();
      StoredAttachment attachment = done.attachments().get(0);
      assertThat(attachment.sandbox()).isEqualTo(RuntimeFixture.sandbox("s1", "p1"));
      assertThat(attachment.state()).isEqualTo(ClaimState.DONE);
      assertThat(attachment.steps()).containsExactly(new Step("lit a", "lit-a"));
      assertThat(attachment.statuses().get(0).conditions())
          .extracting(one -> one.reason())
          .containsExactly("Lit");
      assertThat(Objects.requireNonNull(attachment.statuses().get(0).networkData()).ips())
          .containsExactly("192.168.1.5/32");
      assertThat(claims.get(1).state())
          .isEqualTo(
              golden.equals("store-2-newer.sql") ? ClaimState.STOPPING : ClaimState.STARTING);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"store-1.sql", "store-2.sql", "store-2-newer.sql"})
  void whatEveryReleasePreparedIsUndone(String golden) throws Exception {
    load(golden);
    Path lamps = Files.createDirectory(directory.resolve("lamps"));
    for (String name : List.of("on-a", "on-b", "on-c", "lit-a")) {
      Files.writeString(lamps.resolve(name), "");
    }
    LampDriver driver = new LampDriver(lamps, "a", "b", "c");

    try (DriverRuntime runtime = RuntimeFixture.runtime(file, driver).bootId("boot-1").build()) {
      runtime.start();
      assertThat(driver.state()).containsExactly("lit-a", "on-a", "on-b");
      assertThat(driver.calls).contains("resume x");
      runtime.unprepare("uid-x");
    }
    assertThat(driver.state()).isEmpty();
    assertThat(ClaimStore.read(file)).isEmpty();
  }

  @Test
  void claimsOfSchema1AreOfTheBootInWhichTheyWereFound() throws Exception {
    load("store-1.sql");
    ClaimStore.open(file, BOOT).close();

    try (ClaimStore store = ClaimStore.open(file, "boot-3")) {
      assertThat(store.claims()).extracting(StoredClaim::boot).containsOnly(BOOT);
    }
  }

  @Test
  void theNodeOfSchema1IsKnownByItsPool() throws Exception {
    load("store-1.sql");

    try (ClaimStore store = ClaimStore.open(file, BOOT)) {
      assertThat(store.nodeNames()).containsExactly("node-1");
      store.nameNodes(List.of("node-2"));
      assertThat(store.nodeNames()).containsExactlyInAnyOrder("node-1", "node-2");
    }
  }

  @Test
  void whatSchema1PutAsideIsADamagedClaim() throws Exception {
    load("store-1.sql");
    sql(
        "INSERT INTO quarantine (source, entry, reason) VALUES"
            + " ('step', '[uid-x, lamp.example.com, s1, 0]', 'its checksum does not agree'),"
            + " ('claim', '[uid-z, lamp.example.com]', 'it cannot be read'),"
            + " ('allocation', '[uid-a]', 'it cannot be read')");

    try (ClaimStore store = ClaimStore.open(file, BOOT)) {
      assertThat(store.damaged().keySet())
          .containsExactlyInAnyOrder(
              new ClaimStore.Key("uid-x", LampDriver.NAME, "s1"),
              new ClaimStore.Key("uid-z", LampDriver.NAME, ""));
      assertThat(store.claims().get(0).attachments().get(0).state()).isEqualTo(ClaimState.DAMAGED);
    }
  }

  @Test
  void whatANewerReleaseWroteIsStillThereAfterEveryChange() throws Exception {
    load("store-2-newer.sql");
    ClaimStore.Key key = new ClaimStore.Key("uid-x", LampDriver.NAME, "s1");

    try (ClaimStore store = ClaimStore.open(file, BOOT)) {
      store.setReservedFor(
          key, List.of(new ResourceClaimConsumerReference("a.io", "jobs", "j", "j1")));
      store.setSandbox(key, Sandbox.ofPod("s1", "p1").pod("default", "p").hostNetwork().build());
      store.setClaimState(key, ClaimState.STOPPING);
      store.setAttachmentState(key, ClaimState.SETTLING);
    }

    assertThat(texts("SELECT document FROM claim WHERE uid = 'uid-x'").get(0))
        .contains("\"later\":{\"deep\":[1,2]}")
        .contains("\"laterInDevice\":true")
        .contains("\"laterInEdits\":\"netDevices\"");
    assertThat(texts("SELECT document FROM attachment").get(0))
        .contains("\"runtimeHandler\":\"runc\"")
        .contains("\"network\":\"HOST\"");
    assertThat(texts("SELECT value FROM meta WHERE key = 'later'")).containsExactly("kept");
    try (ClaimStore store = ClaimStore.open(file, BOOT)) {
      assertThat(store.quarantined()).isEmpty();
      StoredClaim claim = store.claims().get(0);
      assertThat(claim.state()).isEqualTo(ClaimState.STOPPING);
      assertThat(claim.claim().claimed().reservedFor())
          .containsExactly(new ResourceClaimConsumerReference("a.io", "jobs", "j", "j1"));
      assertThat(claim.attachments().get(0).sandbox().network()).isEqualTo(Sandbox.Network.HOST);
      assertThat(claim.attachments().get(0).state()).isEqualTo(ClaimState.SETTLING);
    }
  }

  @Test
  void fieldsThatAreMissingHaveTheirDefaults() throws Exception {
    load("store-2.sql");
    for (String field :
        List.of(
            "\"mounts\":[],",
            "\"hooks\":[],",
            "\"additionalGids\":[]",
            "\"cdiDevices\":[]",
            "\"permissions\":\"rwm\",",
            "\"boot\":\"boot-1\",")) {
      change("claim", field);
    }
    change("attachment", "\"edits\":[]");

    try (ClaimStore store = ClaimStore.open(file, BOOT)) {
      assertThat(store.quarantined()).isEmpty();
      assertThat(store.claims()).hasSize(2);
    }
  }

  @Test
  void theBootAndTheReleaseThatUsedItLastAreRemembered() throws Exception {
    ClaimStore.open(file, "boot-1").close();
    ClaimStore.open(file, BOOT).close();

    assertThat(texts("SELECT value FROM meta WHERE key = 'boot'")).containsExactly(BOOT);
    assertThat(texts("SELECT value FROM meta WHERE key = 'release'")).hasSize(1);
  }

  @Test
  void aSchemaThatIsNotKnownIsLeftAsItIs() throws Exception {
    load("store-2.sql");
    sql("PRAGMA user_version = 3");
    List<String> before = texts("SELECT document FROM claim");

    assertThatThrownBy(() -> ClaimStore.open(file, BOOT))
        .hasMessageContaining("use the release that wrote it");
    assertThat(texts("SELECT document FROM claim")).isEqualTo(before);
  }

  /** Takes a text out of a document, and one comma that is too many then. */
  private void change(String table, String text) throws Exception {
    for (String key : texts("SELECT uid FROM " + table)) {
      String document =
          texts("SELECT document FROM " + table + " WHERE uid = '" + key + "'").get(0);
      String less =
          document.replace(text, "").replace(",}", "}").replace("{,", "{").replace(",,", ",");
      List<String> columns = new ArrayList<>(List.of(key, LampDriver.NAME));
      if (table.equals("attachment")) {
        columns.add("s1");
      }
      columns.add(texts("SELECT state FROM " + table + " WHERE uid = '" + key + "'").get(0));
      columns.add(less);
      long sum = StoreQuarantine.checksum(columns.toArray(String[]::new));
      sql(
          "UPDATE %s SET document = '%s', checksum = %d WHERE uid = '%s'"
              .formatted(table, less.replace("'", "''"), sum, key));
    }
  }

  private void load(String golden) throws Exception {
    try (InputStream in = StoreSchemaTest.class.getResourceAsStream(golden)) {
      sql(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private void sql(String text) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(text);
    }
  }

  private List<String> texts(String query) throws Exception {
    List<String> texts = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
