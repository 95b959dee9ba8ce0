package io.dra4j.cli.terminal;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The use of a command: reads the arguments of options, and creates usage errors. */
public final class CommandUsage {

  private CommandUsage() {}

  /**
   * {@return an exception to throw, which ends the command with the message and exit code 2}
   *
   * @param spec the command, which picocli has set
   * @param message the problem, and the expected use
   */
  public static ParameterException bad(@Nullable CommandSpec spec, String message) {
    if (spec == null) {
      throw new IllegalStateException(message);
    }
    return new ParameterException(spec.commandLine(), message);
  }

  /** Returns whether an option is among the arguments. */
  public static boolean isGiven(@Nullable CommandSpec spec, String option) {
    return spec != null && spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  /** Returns the arguments of an option before they are split; empty without the option. */
  public static List<String> typed(@Nullable CommandSpec spec, String option) {
    return spec != null && isGiven(spec, option)
        ? spec.commandLine().getParseResult().matchedOption(option).originalStringValues()
        : List.of();
  }
}
