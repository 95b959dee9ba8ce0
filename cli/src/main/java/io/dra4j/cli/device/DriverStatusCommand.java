package io.dra4j.cli.device;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.FileFaults;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.terminal.TextTable;
import io.dra4j.runtime.ClaimStore;
import io.dra4j.runtime.StoreException;
import io.dra4j.runtime.StoredAttachment;
import io.dra4j.runtime.StoredClaim;
import io.dra4j.spi.PreparedDevice;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code dra4j driver status}: lists the devices that are prepared and attached on this host. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Lists the devices of claims on this host, and devices attached by hand.")
public final class DriverStatusCommand implements Callable<Integer> {

  /** The output formats. */
  enum Output {
    TABLE,
    JSON
  }

  private record Row(String device, String claim, String state, String where, int steps) {}

  @Mixin private final DriverOptions options = new DriverOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table or json. Default: table.")
  private Output output = Output.TABLE;

  private final Terminal terminal;

  public DriverStatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<Row> rows = new ArrayList<>();
    ExitCode code;
    Optional<String> problem = options.problem();
    if (problem.isPresent()) {
      terminal.problem(problem.get());
      return ExitCode.BAD_INPUT.value();
    }
    try {
      code = byHand(rows);
      ofClaims(rows);
    } catch (IOException e) {
      terminal.problem(FileFaults.describe(e));
      return ExitCode.BAD_INPUT.value();
    }
    if (output == Output.JSON) {
      ArrayNode array = new ObjectMapper().createArrayNode();
      for (Row row : rows) {
        ObjectNode object = array.addObject().put("device", row.device).put("claim", row.claim);
        object.put("state", row.state).put("networkNamespace", row.where).put("steps", row.steps);
      }
      terminal.out().println(array.toPrettyString());
      return code.value();
    }
    TextTable table = new TextTable("DEVICE", "CLAIM", "STATE", "NETWORK NAMESPACE", "STEPS");
    rows.forEach(
        row -> table.row(row.device, row.claim, row.state, row.where, Integer.toString(row.steps)));
    terminal.out().print(table);
    if (rows.isEmpty() && code == ExitCode.OK) {
      terminal.out().println("Nothing is attached.");
    }
    return code.value();
  }

  /** Adds the devices attached by hand. A broken record is reported, and the others are shown. */
  private ExitCode byHand(List<Row> rows) throws IOException {
    ExitCode code = ExitCode.OK;
    if (!Files.isDirectory(options.byHand())) {
      return code;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(options.byHand(), "*.json")) {
      for (Path file : all) {
        FileJournal journal;
        try {
          journal = FileJournal.read(file);
        } catch (IOException e) {
          terminal.problem(FileFaults.describe(e));
          code = ExitCode.BAD_INPUT;
          continue;
        }
        String name = file.getFileName().toString();
        rows.add(
            new Row(
                name.substring(0, name.length() - ".json".length()),
                "(by hand)",
                "attached",
                journal.namespace(),
                journal.steps().size()));
      }
    }
    return code;
  }

  private void ofClaims(List<Row> rows) throws StoreException {
    if (!Files.exists(options.store())) {
      return;
    }
    for (StoredClaim claim : ClaimStore.read(options.store())) {
      String name = claim.claim().claim().namespace() + "/" + claim.claim().claim().name();
      for (PreparedDevice device : claim.claim().prepared().devices()) {
        String id = device.device().device();
        if (claim.attachments().isEmpty()) {
          rows.add(new Row(id, name, "prepared, " + lower(claim.state()), "", 0));
        }
        for (StoredAttachment one : claim.attachments()) {
          Path where = one.sandbox().networkNamespace();
          rows.add(
              new Row(
                  id,
                  name,
                  "attached, " + lower(one.state()),
                  where == null ? "" : where.toString(),
                  one.steps().size()));
        }
      }
    }
  }

  private static String lower(Enum<?> state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
