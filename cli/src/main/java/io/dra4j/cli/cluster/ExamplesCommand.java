package io.dra4j.cli.cluster;

import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.SimilarNames;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dra4j examples}: lists the examples, each with its machine. */
@Command(
    name = "examples",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the examples, each with its machine; with NAME, prints that file.",
      "",
      "dra4j examples one-pair-of-eight | dra4j allocate -"
    })
public final class ExamplesCommand implements Callable<Integer> {

  private static final int WIDTH = 100;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The name of an example, with or without .yaml.")
  private @Nullable String name;

  @Spec private @Nullable CommandSpec spec;

  private final Terminal terminal;

  public ExamplesCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<Example> examples = Example.all();
    if (name == null) {
      list(examples);
    } else {
      terminal.out().print(named(name, examples).text());
    }
    return ExitCode.OK.value();
  }

  private Example named(String wanted, List<Example> examples) {
    return examples.stream()
        .filter(example -> example.name().equals(wanted) || example.name().equals(wanted + ".yaml"))
        .findFirst()
        .orElseThrow(
            () -> {
              List<String> names = examples.stream().map(Example::name).toList();
              List<String> near = SimilarNames.of(wanted, names);
              return new ParameterException(
                  spec == null ? new CommandLine(this) : spec.commandLine(),
                  "no example '%s'; %s"
                      .formatted(
                          wanted,
                          near.isEmpty()
                              ? "examples: " + String.join(", ", names)
                              : "did you mean " + String.join(" or ", near) + "?"));
            });
  }

  private void list(List<Example> examples) {
    for (Example example : examples) {
      terminal.line(example.name());
      paragraph("Machine: " + example.machine());
      paragraph(example.about());
      terminal.line("  " + command(example));
      terminal.line("");
    }
    terminal.line("In a checkout, these files are in the directory examples.");
  }

  private static String command(Example example) {
    return example.isCluster()
        ? "$ dra4j examples " + example.name() + " | dra4j allocate -"
        : "$ dra4j examples %1$s >%1$s && dra4j topology --nccl-xml %1$s".formatted(example.name());
  }

  private void paragraph(String text) {
    StringBuilder line = new StringBuilder(" ");
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        terminal.line(line.toString());
        line.setLength(1);
      }
      line.append(' ').append(word);
    }
    terminal.line(line.toString());
  }
}
