package io.dra4j.cli.device;

import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.FileFaults;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.dranet.NetworkDriver;
import io.dra4j.runtime.ClaimStore;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code dra4j driver forget}: removes a claim from the store that no driver can release. */
@Command(
    name = "forget",
    mixinStandardHelpOptions = true,
    exitCodeList = {"1:the host refused"},
    description = {
      "Removes a claim from the store of the driver, without undoing anything.",
      "",
      "For a damaged claim, or for a claim whose driver is no longer installed. Prints the"
          + " record of the claim, and changes nothing without --yes. Return the devices by hand"
          + " first; dra4j cannot do it after the claim is removed. The driver must not run."
    })
public final class DriverForgetCommand implements Callable<Integer> {

  @Mixin private final DriverOptions options = new DriverOptions();

  @Parameters(
      paramLabel = "UID",
      description = "The UID of the claim, as reported in the health of the driver.")
  private String uid = "";

  @Option(
      names = "--driver",
      paramLabel = "NAME",
      defaultValue = NetworkDriver.NAME,
      description = "The driver that prepared the claim. Default: ${DEFAULT-VALUE}.")
  private String driver = NetworkDriver.NAME;

  @Option(
      names = "--yes",
      description = "Remove the claim. Without this option, nothing is changed.")
  private boolean yes;

  @Option(
      names = "--force",
      description =
          "Remove the claim even if it is not damaged, because its driver is no longer"
              + " installed.")
  private boolean force;

  private final Terminal terminal;

  public DriverForgetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Optional<String> bad = options.problem();
    if (bad.isPresent()) {
      terminal.problem(bad.get());
      return ExitCode.BAD_INPUT.value();
    }
    try {
      return forget().value();
    } catch (IOException e) {
      terminal.problem(FileFaults.describe(e));
      return ExitCode.BAD_INPUT.value();
    }
  }

  private ExitCode forget() throws IOException {
    StoredClaim claim = null;
    String damage = null;
    if (Files.exists(options.store())) {
      damage = ClaimStore.damagedClaims(options.store(), driver).get(uid);
      for (StoredClaim one : ClaimStore.read(options.store())) {
        claim = one.uid().equals(uid) && one.driver().equals(driver) ? one : claim;
      }
    }
    if (claim == null && damage == null) {
      terminal.problem(
          "%s has no claim with UID '%s' of driver %s; 'driver status' lists the claims"
              .formatted(options.store(), uid, driver));
      return ExitCode.BAD_INPUT;
    }
    show(claim, damage);
    if (damage == null && !force) {
      terminal.problem(
          "claim %s is not damaged: its driver can release it; --force removes it anyway"
              .formatted(uid));
      return ExitCode.DOES_NOT_FIT;
    }
    if (!yes) {
      line(
          "Nothing was changed. After the devices have been returned, remove the claim with"
              + " --yes.");
      return ExitCode.OK;
    }
    try (ClaimStore store = ClaimStore.open(options.store())) {
      store.forget(uid, driver);
    }
    line("claim %s of driver %s was removed; nothing was undone".formatted(uid, driver));
    return ExitCode.OK;
  }

  private void show(@Nullable StoredClaim claim, @Nullable String damage) {
    String name = claim == null ? uid : claim.claim().claim().toString(); // has the unique id
    line("claim %s of driver %s".formatted(name, driver));
    if (damage != null) {
      line("  damaged: " + damage);
    }
    if (claim == null) {
      return;
    }
    for (PreparedDevice one : claim.claim().prepared().devices()) {
      line("  device: " + one.device().device());
    }
    steps(claim.steps());
    for (StoredAttachment one : claim.attachments()) {
      line("  attached to: %s, %s".formatted(one.sandbox(), one.sandbox().networkNamespace()));
      steps(one.steps());
    }
  }

  private void steps(List<Step> steps) {
    steps.forEach(step -> line("  not undone: " + step.name()));
  }

  private void line(String text) {
    terminal.out().println(Terminal.safe(text));
  }
}
