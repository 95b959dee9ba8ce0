package io.dra4j.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cel.CelSelectors;
import io.dra4j.cli.Cli;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.ResourceClaim;
import io.dra4j.runtime.ClaimStore;
import io.dra4j.runtime.DriverRuntime;
import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.spi.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dra4j driver forget}, of a store in which one claim is damaged and one is not. */
class DriverForgetTest {

  private static final String DRIVER = "lamp.example.com";

  /** Prepares by a step alone. */
  private record Lamps() implements PreparingDriver {

    @Override
    public String name() {
      return DRIVER;
    }

    @Override
    public List<Device> discover(HostInventory host) {
      return List.of(Device.named("a").build(), Device.named("b").build());
    }

    @Override
    public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
      List<PreparedDevice> prepared = new ArrayList<>();
      for (ClaimedDevice one : claim.devices()) {
        journal.record(new Step("switch " + one.name() + " on", one.name()));
        prepared.add(PreparedDevice.of(one, ContainerEdits.NONE, ""));
      }
      return new Prepared(prepared);
    }

    @Override
    public void undo(Step step) {}
  }

  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void damageOne() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    store = directory.resolve("claims.db");
    try (DriverRuntime runtime = runtime()) {
      runtime.start();
      for (String name : List.of("x", "y")) {
        ResourceClaim claim =
            ResourceClaim.named(name).request("lamp", lamp -> lamp.deviceClass("lamp")).build();
        assertThat(runtime.allocate(claim)).hasToString(runtime.allocate(claim).toString());
      }
      for (ResourceClaim claim : runtime.allocated()) {
        runtime.prepare(claim);
      }
    }
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        var statement = connection.createStatement()) {
      assertThat(
              statement.executeUpdate(
                  "UPDATE step SET checksum = 0 WHERE uid = '" + uid("x") + "'"))
          .isEqualTo(1);
    }
    try (DriverRuntime runtime = runtime()) { // finds it
      runtime.start();
      assertThat(runtime.health().isReady()).isFalse();
    }
  }

  private DriverRuntime runtime() throws Exception {
    return DriverRuntime.builder()
        .driver(new Lamps())
        .store(store)
        .watchers(List.of())
        .selectors(CelSelectors.create())
        .deviceClasses(List.of(DeviceClass.named("lamp")))
        .build();
  }

  private String uid(String name) throws Exception {
    return ClaimStore.read(store).stream()
        .filter(one -> one.claim().claim().name().equals(name))
        .findFirst()
        .orElseThrow()
        .uid();
  }

  private Cli forget(String uid, String... more) {
    List<String> args = new ArrayList<>(List.of("driver", "forget", uid, "--driver", DRIVER));
    args.addAll(List.of("--state", directory.toString()));
    args.addAll(List.of(more));
    return Cli.run(args.toArray(String[]::new));
  }

  @Test
  void withoutYesItShowsTheClaimAndChangesNothing() throws Exception {
    String uid = uid("x");

    Cli answer = forget(uid);

    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .contains("claim default/x (" + uid + ") of driver lamp.example.com")
        .contains("  damaged: step ", "  device: ")
        .contains("Nothing was changed.");
    assertThat(ClaimStore.damagedClaims(store, DRIVER)).containsOnlyKeys(uid);
  }

  @Test
  void withYesItIsRemovedAndTheDriverIsReady() throws Exception {
    String uid = uid("x");

    Cli answer = forget(uid, "--yes");

    assertThat(answer.code()).isZero();
    assertThat(answer.out()).endsWith("was removed; nothing was undone\n");
    assertThat(ClaimStore.damagedClaims(store, DRIVER)).isEmpty();
    assertThat(ClaimStore.read(store)).extracting(one -> one.claim().claim().name()).contains("y");
    try (DriverRuntime runtime = runtime()) {
      runtime.start();
      assertThat(runtime.health().isReady()).isTrue();
    }
  }

  @Test
  void aClaimThatIsNotDamagedIsRemovedByForceAlone() throws Exception {
    String uid = uid("y");

    Cli refused = forget(uid, "--yes");

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out()).contains("  not undone: switch ");
    assertThat(refused.err()).contains("is not damaged: its driver can release it; --force");
    assertThat(forget(uid, "--yes", "--force").code()).isZero();
    assertThat(ClaimStore.read(store)).noneMatch(one -> one.uid().equals(uid));
  }

  @Test
  void anUnknownClaimIsRefused() {
    Cli answer = forget("nobody", "--yes");

    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains("has no claim with UID 'nobody' of driver lamp.example.com");
  }

  @Test
  void aStoreThatADriverUsesIsLeftAsItIs() throws Exception {
    String uid = uid("x");
    try (DriverRuntime runtime = runtime()) {
      runtime.start();

      assertThat(forget(uid, "--yes").code()).isEqualTo(2);
    }
    assertThat(ClaimStore.damagedClaims(store, DRIVER)).containsOnlyKeys(uid);
  }
}
