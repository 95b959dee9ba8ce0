package io.dra4j.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Adds the exit codes to the help of each command. A command lists in {@code exitCodeList} the
 * codes that only some commands have, and codes with a special meaning for it; the others come from
 * {@link ExitCode}.
 */
public final class ExitCodeHelp {

  private ExitCodeHelp() {}

  /** Adds the exit codes to the help of a command and of its subcommands. */
  public static void addTo(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    Map<String, String> own = usage.exitCodeList();
    Map<String, String> all = new LinkedHashMap<>();
    for (ExitCode code : ExitCode.values()) {
      String key = String.valueOf(code.value());
      String meaning = own.getOrDefault(key, code.meaning());
      if (!meaning.isEmpty()) {
        all.put(key, meaning);
      }
    }
    usage.exitCodeListHeading("%nExit codes, the first that applies:%n").exitCodeList(all);
    command.getSubcommands().values().forEach(ExitCodeHelp::addTo);
  }
}
