package io.dra4j.runtime;

import static io.dra4j.runtime.RuntimeFixture.allocationOf;
import static io.dra4j.runtime.RuntimeFixture.claim;
import static io.dra4j.runtime.RuntimeFixture.sandbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.model.AllocatedDeviceStatus;
import io.dra4j.model.AllocationConfigSource;
import io.dra4j.model.Condition;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAllocationConfiguration;
import io.dra4j.model.DeviceId;
import io.dra4j.model.NetworkDeviceData;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimConsumerReference;
import io.dra4j.model.ResourceClaimStatus;
import io.dra4j.spi.Attached;
import io.dra4j.spi.BindMount;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimStoreTest {

  private static final ClaimStore.Key ATTACHMENT =
      new ClaimStore.Key("uid-x", LampDriver.NAME, "s1");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void name() {
    file = directory.resolve("store");
  }

  /** A claim that uses everything that can be written. */
  private static PreparedClaim rich() throws Exception {
    ResourceClaim claim = claim("x", "a", "b");
    ResourceClaim configured =
        claim.toBuilder()
            .status(
                new ResourceClaimStatus(
                    allocationOf(claim).toBuilder()
                        .config(
                            List.of(
                                new DeviceAllocationConfiguration(
                                    AllocationConfigSource.FROM_CLASS,
                                    List.of("light"),
                                    new OpaqueDeviceConfiguration(
                                        LampDriver.NAME, "{\"dim\":true}"))))
                        .build(),
                    List.of(new ResourceClaimConsumerReference("", "pods", "p", "p1")),
                    List.of()))
            .build();
    ClaimedDevices claimed =
        ClaimedDevices.of(
            configured,
            LampDriver.NAME,
            id ->
                Device.named(id.device())
                    .attribute("color", "red")
                    .capacity("lumen", "800")
                    .build());
    ContainerEdits edits =
        new ContainerEdits(
            Map.of("A", "1"),
            List.of(new DeviceNode("/dev/lamp0", DeviceNode.Kind.CHARACTER, 240, 7)),
            List.of(new BindMount("/sys/lamp", "/lamp", true)));
    return new PreparedClaim(
        claimed,
        new Prepared(
            claimed.devices().stream()
                .map(one -> PreparedDevice.of(one, edits, "{\"v\":1,\"text\":\"ü\"}"))
                .toList()));
  }

  private static List<AllocatedDeviceStatus> statuses() {
    return List.of(
        AllocatedDeviceStatus.of(new DeviceId(LampDriver.NAME, "node-1", "a"))
            .conditions(
                List.of(new Condition("Ready", "True", null, "2026-01-01T00:00:00Z", "Lit", "")))
            .networkData(new NetworkDeviceData("lamp0", List.of("192.168.1.5/32"), "02:00"))
            .build());
  }

  private static final String BOOT = "boot-1";

  private ClaimStore filled() throws Exception {
    ClaimStore store = ClaimStore.open(file, BOOT);
    store.putAllocation(claim("x", "a", "b"));
    store.putClaim(
        LampDriver.NAME,
        ClaimState.DONE,
        rich(),
        List.of(new Step("on a", "1"), new Step("on b", "2")));
    store.putAttachment(
        ATTACHMENT,
        ClaimState.DONE,
        sandbox("s1", "p1"),
        Attached.of(statuses()),
        List.of(new Step("lit a", "3")));
    return store;
  }

  private static void checkFilled(ClaimStore store) throws Exception {
    assertThat(store.allocations()).containsExactly(claim("x", "a", "b"));
    assertThat(store.claims())
        .containsExactly(
            new StoredClaim(
                LampDriver.NAME,
                ClaimState.DONE,
                rich(),
                BOOT,
                List.of(new Step("on a", "1"), new Step("on b", "2")),
                List.of(
                    new StoredAttachment(
                        sandbox("s1", "p1"),
                        ClaimState.DONE,
                        Attached.of(statuses()),
                        List.of(new Step("lit a", "3"))))));
    assertThat(store.quarantined()).isEmpty();
  }

  @Test
  void whatIsWrittenIsThereWhenItIsOpenedAgain() throws Exception {
    filled().close();

    try (ClaimStore store = ClaimStore.open(file)) {
      checkFilled(store);
    }
  }

  @Test
  void whateverADriverWritesCanBeRead() throws Exception {
    String odd = "\u0000\u0001\u001b\r\n\t\u007f\u0085\u009f\u2028\ufeff\ufffe\uffff: #'\"\\😀";
    String big = "x".repeat(20_100_000);
    ClaimedDevices some = rich().claimed();
    List<ClaimedDevice> devices =
        some.devices().stream()
            .map(
                one ->
                    new ClaimedDevice(
                        one.result(),
                        one.device().toBuilder().attribute("model", odd).build(),
                        one.index(),
                        List.of(
                            new OpaqueConfiguration(
                                AllocationConfigSource.FROM_CLAIM, List.of(), odd))))
            .toList();
    ContainerEdits edits =
        new ContainerEdits(Map.of("N".repeat(60_000), odd), List.of(), List.of());
    PreparedClaim claim =
        new PreparedClaim(
            new ClaimedDevices(some.claim(), some.reservedFor(), devices),
            new Prepared(List.of(PreparedDevice.of(devices.get(0), edits, odd + big))));
    List<AllocatedDeviceStatus> statuses = List.of(statuses().get(0).toBuilder().data(odd).build());
    List<Step> steps = List.of(new Step(odd, odd));
    try (ClaimStore store = ClaimStore.open(file)) {
      store.putClaim(LampDriver.NAME, ClaimState.DONE, claim, steps);
      store.putAttachment(
          ATTACHMENT, ClaimState.DONE, sandbox("s1", "p1"), Attached.of(statuses), steps);
    }
    try (ClaimStore store = ClaimStore.open(file)) {
      assertThat(store.quarantined()).isEmpty();
      StoredClaim found = store.claims().get(0);
      StoredAttachment attachment = found.attachments().get(0);
      assertThat(found.claim().equals(claim)).isTrue(); // too much to print
      assertThat(found.steps().equals(steps)).isTrue();
      assertThat(attachment.statuses().equals(statuses)).isTrue();
      assertThat(attachment.steps().equals(steps)).isTrue();
    }
  }

  @Test
  void stepsAreAppendedAndForgotten() throws Exception {
    try (ClaimStore store = filled()) {
      store.appendSteps(ATTACHMENT, List.of(new Step("lit b", "4"), new Step("lit c", "5")));
      store.keepSteps(ATTACHMENT, 2);

      assertThat(store.claims().get(0).attachments().get(0).steps())
          .containsExactly(new Step("lit a", "3"), new Step("lit b", "4"));
    }
  }

  @Test
  void aClaimThatIsDeletedLeavesNothing() throws Exception {
    try (ClaimStore store = filled()) {
      store.deleteClaim("uid-x", LampDriver.NAME);
      store.deleteAllocation("uid-x");

      assertThat(store.claims()).isEmpty();
      assertThat(store.allocations()).isEmpty();
    }
    assertThat(count("attachment") + count("step")).isZero();
  }

  @Test
  void onlyItsOwnerCanReadIt() throws Exception {
    filled().close();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE claim SET document = replace(document, 'red', 'rad')",
        "UPDATE claim SET state = 'STARTING'",
        "UPDATE claim SET checksum = 0",
        "UPDATE claim SET uid = 'uid-y'",
        "UPDATE claim SET document = '{'",
        "UPDATE claim SET document = x'00ff'"
      })
  void aBadClaimIsPutAsideWithWhatBelongsToIt(String damage) throws Exception {
    filled().close();
    sql(damage);

    try (ClaimStore store = ClaimStore.open(file)) {
      assertThat(store.claims()).isEmpty();
      assertThat(store.allocations()).hasSize(1);
      assertThat(store.quarantined())
          .extracting(QuarantinedEntry::table)
          .containsExactlyInAnyOrder("claim", "attachment", "step", "step", "step");
    }
    assertThat(count("quarantine")).isEqualTo(5);
  }

  @Test
  void otherClaimsStay() throws Exception {
    try (ClaimStore store = filled()) {
      PreparedClaim other =
          new PreparedClaim(
              ClaimedDevices.of(
                  claim("y", "c"), LampDriver.NAME, id -> Device.named(id.device()).build()),
              Prepared.NOTHING);
      store.putClaim(LampDriver.NAME, ClaimState.DONE, other, null);
    }
    sql("UPDATE claim SET checksum = 0 WHERE uid = 'uid-x'");

    try (ClaimStore store = ClaimStore.open(file)) {
      assertThat(store.claims())
          .extracting(one -> one.claim().claim().uid())
          .containsExactly("uid-y");
    }
  }

  @Test
  void aBadEntryIsToldOnceMoreAfterARestart() throws Exception {
    filled().close();
    sql("UPDATE allocation SET checksum = 0");
    ClaimStore.open(file).close();

    try (ClaimStore store = ClaimStore.open(file)) {
      assertThat(store.quarantined())
          .containsExactly(
              new QuarantinedEntry("allocation", "[uid-x]", "its checksum does not match"));
    }
  }

  @Test
  void aSecondOpeningIsRefused() throws Exception {
    try (ClaimStore store = filled()) {
      assertThatThrownBy(() -> ClaimStore.open(file))
          .isInstanceOf(StoreException.class)
          .hasMessage(
              "store %s is in use by process %d; only one process can use a store"
                  .formatted(file, ProcessHandle.current().pid()));
      checkFilled(store);
    }
  }

  /** What the kernel has of locks on a file: its inode stands behind the device. */
  private static List<String> locks(Path file) throws Exception {
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .filter(line -> line.contains(inode))
        .map(line -> line.substring(line.indexOf(':')))
        .sorted()
        .toList();
  }

  @Test
  void readingAndASecondOpeningTakeNoLockFromTheStore() throws Exception {
    Path lock = directory.resolve("store.lock");
    try (ClaimStore store = filled()) {
      List<String> ofStore = locks(file);
      List<String> ofLock = locks(lock);
      assertThat(ofStore).isNotEmpty();
      assertThat(ofLock).isNotEmpty();

      assertThat(ClaimStore.read(file)).isEqualTo(store.claims());
      assertThatThrownBy(() -> ClaimStore.open(file)).isInstanceOf(StoreException.class);

      assertThat(locks(file)).isEqualTo(ofStore);
      assertThat(locks(lock)).isEqualTo(ofLock);
    }
    assertThat(locks(lock)).isEmpty();
  }

  @Test
  void aStoreIsTheSameUnderAnotherName() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    try (ClaimStore store = filled()) {
      assertThatThrownBy(() -> ClaimStore.open(link))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("is in use by process " + ProcessHandle.current().pid());
      checkFilled(store);
    }
    try (ClaimStore store = ClaimStore.open(link)) {
      checkFilled(store);
    }
  }

  @Test
  void whatIsNoStoreCannotBeRead() throws Exception {
    Files.writeString(file, "something else, and long enough to have a header".repeat(100));
    assertThatThrownBy(() -> ClaimStore.read(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file + " is not an SQLite database");
    assertThatThrownBy(() -> ClaimStore.read(directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is not a regular file");
  }

  @Test
  void stepsAreForgottenInTheirOrderWhenOneBeforeThemWasPutAside() throws Exception {
    try (ClaimStore store = filled()) {
      store.appendSteps(ATTACHMENT, List.of(new Step("lit b", "4"), new Step("lit c", "5")));
    }
    sql("UPDATE step SET checksum = 0 WHERE sandbox = 's1' AND position = 0");
    try (ClaimStore store = ClaimStore.open(file)) {
      store.keepSteps(ATTACHMENT, 1);
      assertThat(store.claims().get(0).attachments().get(0).steps())
          .containsExactly(new Step("lit b", "4"));
      store.appendSteps(ATTACHMENT, List.of(new Step("lit d", "6")));
      assertThat(store.claims().get(0).attachments().get(0).steps())
          .containsExactly(new Step("lit b", "4"), new Step("lit d", "6"));
    }
  }

  @Test
  void aFileOfSomethingElseIsLeftAsItIs() throws Exception {
    Files.writeString(file, "a letter to my aunt");

    assertThatThrownBy(() -> ClaimStore.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is not an SQLite database");
    assertThat(file).hasContent("a letter to my aunt");
  }

  @Test
  void aDatabaseOfSomethingElseIsLeftAsItIs() throws Exception {
    sql("CREATE TABLE aunt (letter TEXT)");

    assertThatThrownBy(() -> ClaimStore.open(file))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is the database of another program");
  }

  @Test
  void aStoreOfANewerVersionIsLeftAsItIs() throws Exception {
    filled().close();
    sql("PRAGMA user_version = 3");

    assertThatThrownBy(() -> ClaimStore.open(file))
        .hasMessageContaining("has version 3 of the schema, but this release supports 1 to 2");
  }

  @Test
  void aDamagedFileIsToldAndTheLockGivenBack() throws Exception {
    filled().close();
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 4096; i < bytes.length; i++) {
      bytes[i] = (byte) 0xa5;
    }
    Files.write(file, bytes);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> ClaimStore.open(file))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("store " + file);
    }
  }

  @Test
  void anEmptyFileBecomesAStore() throws Exception {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

    try (ClaimStore store = ClaimStore.open(file)) {
      assertThat(store.claims()).isEmpty();
    }
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> ClaimStore.open(directory.resolve("no/store")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("directory " + directory.resolve("no") + " does not exist");
  }

  @Test
  void aFullDiskIsToldAndLosesNothing() throws Exception {
    filled().close();
    try (ClaimStore store = ClaimStore.open(file, BOOT, 20)) {
      Step big = new Step("big", "x".repeat(200_000));

      assertThatThrownBy(() -> store.appendSteps(ATTACHMENT, List.of(big)))
          .isInstanceOf(StoreException.class)
          .hasMessage("store " + file + ": the disk is full");
      checkFilled(store);
    }
    try (ClaimStore store = ClaimStore.open(file)) {
      checkFilled(store);
    }
  }

  @Test
  void aClosedStoreRefusesWork() throws Exception {
    ClaimStore store = filled();
    store.close();
    store.close();

    assertThatThrownBy(store::claims).hasMessage("store " + file + " is closed");
  }

  private void sql(String text) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(text);
    }
  }

  private int count(String table) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      return rows.getInt(1);
    }
  }
}
