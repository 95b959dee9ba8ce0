package io.dra4j.cli.device;

import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.manifest.ManifestException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dra4j driver config}: checks a configuration, and prints it with its defaults. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a configuration of the network driver, the opaque parameters of a claim or class, and"
          + " prints it with its defaults.",
      "",
      "Errors are printed with line, column and JSON pointer, and the exit code is 2."
    })
public final class DriverConfigCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "YAML or JSON; - is standard input.")
  private String file = "-";

  private final Terminal terminal;

  public DriverConfigCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try {
      NetworkConfig config = ParameterFile.read(terminal, file).parse(NetworkConfig::parse);
      terminal.out().println(config.withDefaults().toJson());
      return ExitCode.OK.value();
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
    } catch (IOException e) {
      terminal.problem(String.valueOf(e.getMessage()));
    }
    return ExitCode.BAD_INPUT.value();
  }
}
