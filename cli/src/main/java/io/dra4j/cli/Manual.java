package io.dra4j.cli;

import io.dra4j.cli.terminal.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The command with all subcommands, for the picocli programs that generate man pages and shell
 * completion. These programs need the name of a class, but {@link Main} builds the command at run
 * time.
 */
@Command(modelTransformer = Manual.class)
final class Manual implements IModelTransformer {

  private Manual() {}

  @Override
  public CommandSpec transform(CommandSpec own) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Terminal terminal = new Terminal(InputStream.nullInputStream(), nowhere, nowhere, () -> false);
    CommandLine command = Main.commandLine(terminal);
    return command.getCommandSpec();
  }
}
