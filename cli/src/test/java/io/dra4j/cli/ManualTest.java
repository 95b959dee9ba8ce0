package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Checks the input of the picocli programs, and everything that must list each command. */
class ManualTest {

  private static final Path REFERENCE = Path.of("../docs/cli.md");
  private static final String MARK = "<!-- The rest is the help of the commands: ManualTest -->\n";

  private static CommandLine manual() {
    return new CommandLine(Manual.class);
  }

  private static CommandLine subcommand(CommandLine command, String name) {
    return Objects.requireNonNull(command.getSubcommands().get(name));
  }

  static Stream<String> commands() {
    return manual().getSubcommands().keySet().stream();
  }

  @Test
  void theManualHasTheWholeCommand() {
    assertThat(manual().getCommandName()).isEqualTo("dra4j");
    assertThat(commands()).contains("allocate", "topology", "driver");
    assertThat(subcommand(manual(), "driver").getSubcommands()).containsKey("status");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandIsTheSameAloneAsAmongAll(String command) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Terminal terminal = new Terminal(InputStream.nullInputStream(), nowhere, nowhere, () -> false);

    CommandLine alone = Main.commandLine(terminal, command);

    assertThat(alone.getSubcommands()).containsOnlyKeys(command);
    Object lone = subcommand(alone, command).getCommand();
    Object among = subcommand(manual(), command).getCommand();
    assertThat(lone).hasSameClassAs(among);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandHasItsOwnHelpAndAPlaceInTheReadme(String command) throws IOException {
    Cli cli = Cli.run(command, "--help");
    assertThat(cli.code()).isZero();
    assertThat(cli.out()).startsWith("Usage: dra4j " + command);
    assertThat(commandsOfTheReadme())
        .as("rows of README.md below \"## Command line\"")
        .contains(command);
  }

  /** The second word of each row: {@code | `dra4j rdma [DEVICE...]` | ...}. */
  private static List<String> commandsOfTheReadme() throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    int start = readme.indexOf("\n## Command line\n");
    String section = readme.substring(start, readme.indexOf("\n## ", start + 1));
    return Pattern.compile("(?m)^\\| `dra4j ([a-z-]+)")
        .matcher(section)
        .results()
        .map(row -> row.group(1))
        .toList();
  }

  @Test
  void everyHelpHasTheExitCodes() {
    assertThat(manual().getUsageMessage()).containsPattern("\n +4 +undecided");
    manual().getSubcommands().values().forEach(ManualTest::checkExitCodes);
  }

  private static void checkExitCodes(CommandLine command) {
    assertThat(command.getUsageMessage())
        .as(command.getCommandSpec().qualifiedName())
        .contains("Exit codes, the first that applies:")
        .containsPattern("\n +74 .+\n +2 .+\n(.*\n)* +0 ");
    command.getSubcommands().values().forEach(ManualTest::checkExitCodes);
  }

  @Test
  void aCommandListsOnlyTheExitCodesThatItHas() {
    assertThat(exitCodes("allocate")).containsExactly("70", "74", "2", "3", "4", "1", "0");
    assertThat(exitCodes("headroom")).containsExactly("70", "74", "2", "3", "4", "0");
    assertThat(exitCodes("rdma")).containsExactly("70", "74", "2", "0");
  }

  private static Iterable<String> exitCodes(String command) {
    return subcommand(manual(), command).getCommandSpec().usageMessage().exitCodeList().keySet();
  }

  /** The text above the mark is written by hand. */
  @Test
  void theReferenceIsTheHelpOfTheCommands() throws IOException {
    String written = Files.readString(REFERENCE);
    StringBuilder text =
        new StringBuilder(written.substring(0, written.indexOf(MARK) + MARK.length()));
    manual().getSubcommands().forEach((name, command) -> describe("##", command, text));
    if (Boolean.getBoolean("dra4j.docs.write")) {
      Files.writeString(REFERENCE, text);
    }
    assertThat(REFERENCE).as("-Ddra4j.docs.write=true writes it anew").hasContent(text.toString());
  }

  private static void describe(String level, CommandLine command, StringBuilder text) {
    command.setUsageHelpWidth(100);
    text.append("\n%s %s\n\n".formatted(level, command.getCommandSpec().qualifiedName()));
    text.append("```text\n%s\n```\n".formatted(lines(command.getUsageMessage())));
    command.getSubcommands().forEach((name, below) -> describe(level + "#", below, text));
  }

  private static String lines(String usage) {
    return usage.lines().map(String::stripTrailing).collect(Collectors.joining("\n")).strip();
  }

  @Test
  void theCompletionKnowsCommandsAndOptions() {
    assertThat(AutoComplete.bash("dra4j", manual()))
        .contains("allocate", "--kubernetes", "_complete_dra4j");
  }
}
