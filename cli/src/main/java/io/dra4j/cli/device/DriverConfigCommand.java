package io.dra4j.cli.device;

import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.spi.configuration.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dra4j driver config}: a configuration checked, and printed with its defaults. */
@Command(
    name = "config",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a configuration of the network driver, the opaque parameters of a claim or class, and"
          + " prints it with its defaults.",
      "",
      "Errors are printed with JSON pointers, and the exit code is 2."
    })
public final class DriverConfigCommand implements Callable<Integer> {

  private static final int MOST = 1 << 20;

  @Parameters(paramLabel = "FILE", description = "JSON; - is standard input.")
  private String file = "-";

  private final Terminal terminal;

  public DriverConfigCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    try {
      terminal.out().println(read(terminal, file).withDefaults().toJson());
      return ExitCode.OK.value();
    } catch (ConfigurationException e) {
      e.problems().forEach(problem -> terminal.problem(name(file) + ": " + problem));
    } catch (IOException e) {
      terminal.problem(String.valueOf(e.getMessage()));
    }
    return ExitCode.BAD_INPUT.value();
  }

  private static String name(String file) {
    return file.equals("-") ? "standard input" : file;
  }

  /** The configuration of a file, of which no more than a MiB is read. */
  static NetworkConfig read(Terminal terminal, String file)
      throws IOException, ConfigurationException {
    byte[] bytes;
    if (file.equals("-")) {
      bytes = terminal.in().readNBytes(MOST + 1);
    } else {
      try (InputStream in = Files.newInputStream(Path.of(file))) {
        bytes = in.readNBytes(MOST + 1);
      } catch (IOException e) {
        throw new IOException(file + ": " + IoMessages.describe(e), e);
      }
    }
    String name = name(file);
    if (bytes.length == 0) {
      throw new IOException(name + ": is empty: expected a JSON object, {} for the defaults");
    } else if (bytes.length > MOST) {
      throw new IOException(name + ": is larger than " + MOST + " bytes");
    }
    try {
      return NetworkConfig.parse(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new IOException(name + ": is not UTF-8 text", e);
    }
  }
}
