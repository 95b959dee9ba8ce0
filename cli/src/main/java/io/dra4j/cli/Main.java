package io.dra4j.cli;

import io.dra4j.cli.cel.CelCommand;
import io.dra4j.cli.cluster.AllocateCommand;
import io.dra4j.cli.cluster.AuditCommand;
import io.dra4j.cli.cluster.ExamplesCommand;
import io.dra4j.cli.cluster.ExplainCommand;
import io.dra4j.cli.cluster.HeadroomCommand;
import io.dra4j.cli.cluster.PlaceCommand;
import io.dra4j.cli.cluster.SnapshotCommand;
import io.dra4j.cli.cluster.ValidateCommand;
import io.dra4j.cli.device.DriverAttachCommand;
import io.dra4j.cli.device.DriverCommand;
import io.dra4j.cli.device.DriverConfigCommand;
import io.dra4j.cli.device.DriverDetachCommand;
import io.dra4j.cli.device.DriverForgetCommand;
import io.dra4j.cli.device.DriverRunCommand;
import io.dra4j.cli.device.DriverStatusCommand;
import io.dra4j.cli.device.RdmaCommand;
import io.dra4j.cli.input.ClusterSource;
import io.dra4j.cli.input.Kubeconfig;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.ExitCodeHelp;
import io.dra4j.cli.terminal.PathConverter;
import io.dra4j.cli.terminal.StandardOutput;
import io.dra4j.cli.terminal.StandardOutput.LostException;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.cli.terminal.WrappedText;
import io.dra4j.cli.topology.DiscoverCommand;
import io.dra4j.cli.topology.TopologyCommand;
import io.dra4j.common.SimilarNames;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line program {@code dra4j}. */
@Command(
    name = "dra4j",
    description = "Kubernetes Dynamic Resource Allocation: who gets which device, and why.",
    mixinStandardHelpOptions = true,
    exitCodeList = {
      ExitCode.HELP_REJECTED,
      ExitCode.HELP_UNDECIDED,
      "1:a claim does not fit, or inconsistencies were found"
    },
    versionProvider = Main.Version.class)
public final class Main {

  /** The names of all commands, in the order of the help. */
  private static final List<String> COMMANDS =
      List.of(
          "allocate",
          "audit",
          "cel",
          "discover",
          "driver",
          "examples",
          "explain",
          "headroom",
          "place",
          "rdma",
          "snapshot",
          "topology",
          "validate");

  /** The labels of arguments that name files, in the help. */
  private static final Set<String> FILES = Set.of("FILE", "F");

  private Main() {}

  /**
   * Runs the command and ends the JVM with its exit code, see {@link ExitCode}.
   *
   * @param args the command line
   */
  public static void main(String[] args) {
    Locale.setDefault(
        Locale.US); // programs parse the numbers as well; formatters also start faster with it
    System.exit(
        run(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            new FileOutputStream(FileDescriptor.err),
            args));
  }

  /**
   * Runs the command with the given streams.
   *
   * @param in the standard input
   * @param answers receives the standard output
   * @param problems receives the standard error
   * @param args the command line
   * @return the exit code
   */
  public static int run(
      InputStream in, OutputStream answers, OutputStream problems, String... args) {
    return run(in, answers, problems, WrappedText.width(), args);
  }

  /** Like {@link #run(InputStream, OutputStream, OutputStream, String...)}, with a line width. */
  static int run(
      InputStream in, OutputStream answers, OutputStream problems, int width, String... args) {
    PrintWriter err = writer(problems);
    StandardOutput out = new StandardOutput(answers);
    Terminal terminal = new Terminal(in, writer(out), err, out::isUnread, width);
    int code = run(terminal, args);
    err.flush();
    return code;
  }

  /** Returns the command with the named subcommand; with all subcommands if none is named. */
  static CommandLine commandLine(Terminal terminal, String... args) {
    CommandLine commandLine = new CommandLine(new Main());
    commands(terminal, args).forEach(commandLine::addSubcommand);
    CommandLine driver = commandLine.getSubcommands().get("driver");
    if (driver != null) {
      driver.addSubcommand(new DriverAttachCommand(terminal));
      driver.addSubcommand(new DriverConfigCommand(terminal));
      driver.addSubcommand(new DriverDetachCommand(terminal));
      driver.addSubcommand(new DriverForgetCommand(terminal));
      driver.addSubcommand(new DriverRunCommand(terminal));
      driver.addSubcommand(new DriverStatusCommand(terminal));
    }
    ExitCodeHelp.addTo(commandLine);
    return commandLine;
  }

  /** Replaces {@code help COMMAND} with {@code COMMAND --help}. */
  private static String[] withHelp(String... args) {
    if (args.length == 0 || !args[0].equals("help")) {
      return args;
    } else if (args.length > 1 && !COMMANDS.contains(args[1])) {
      return new String[] {args[1]}; // picocli would print the help of dra4j itself
    }
    String[] other = Arrays.copyOfRange(args, 1, args.length + 1);
    other[args.length - 1] = "--help";
    return other;
  }

  private static int run(Terminal terminal, String... typed) {
    String[] args = withHelp(typed);
    CommandLine commandLine = commandLine(terminal, args);
    commandLine.setExpandAtFiles(false); // '@' is a plain character of file names
    commandLine.setExecutionStrategy(Main::checkedRun);
    StringWriter help = new StringWriter(); // picocli reports failed output as a bug
    commandLine.setOut(new PrintWriter(help)).setErr(terminal.err());
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    addConverters(commandLine);
    commandLine.setParameterExceptionHandler(Main::badUsage);
    commandLine.setExecutionExceptionHandler(
        (exception, command, parsed) -> reported(terminal, exception));
    if (args.length == 0) {
      commandLine.usage(terminal.err());
      return ExitCode.BAD_INPUT.value();
    }
    try {
      int code = commandLine.execute(args);
      terminal.out().print(help);
      terminal.out().flush();
      return code;
    } catch (LostException e) {
      return lost(terminal, e);
    } catch (Throwable e) { // picocli handles only exceptions; the JVM would end with 1
      return failed(terminal, e);
    }
  }

  private static void addConverters(CommandLine commandLine) {
    commandLine.registerConverter(Path.class, new PathConverter());
    commandLine.registerConverter(
        Double.class, text -> number(text, Double::valueOf, "a number such as 1.5"));
    commandLine.registerConverter(
        int.class, text -> number(text, Integer::valueOf, "a whole number of at most 2147483647"));
  }

  /** Reports an exception of a command, and returns the exit code. */
  private static int reported(Terminal terminal, Exception exception) {
    if (exception instanceof LostException lost) {
      return lost(terminal, lost);
    }
    if (exception instanceof InvalidPathException name) {
      return noName(terminal, name);
    }
    return exception instanceof KubernetesClientException unreachable
        ? noCluster(terminal, unreachable)
        : failed(terminal, exception);
  }

  /** Runs the parsed command; refuses an empty file name, mostly a variable without a value. */
  private static int checkedRun(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    for (ArgSpec argument : last.matchedArgs()) {
      if (FILES.contains(argument.paramLabel()) && argument.originalStringValues().contains("")) {
        throw new ParameterException(
            last.commandSpec().commandLine(),
            (argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel())
                + ": "
                + PathConverter.EMPTY);
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static Object command(String name, Terminal terminal) {
    return switch (name) {
      case "allocate" -> new AllocateCommand(terminal);
      case "audit" -> new AuditCommand(terminal);
      case "cel" -> new CelCommand(terminal);
      case "discover" -> new DiscoverCommand(terminal);
      case "driver" -> new DriverCommand();
      case "examples" -> new ExamplesCommand(terminal);
      case "explain" -> new ExplainCommand(terminal);
      case "headroom" -> new HeadroomCommand(terminal);
      case "place" -> new PlaceCommand(terminal);
      case "rdma" -> new RdmaCommand(terminal);
      case "snapshot" -> new SnapshotCommand(terminal);
      case "topology" -> new TopologyCommand(terminal);
      case "validate" -> new ValidateCommand(terminal);
      default ->
          throw new IllegalArgumentException(
              "COMMANDS contains " + name + ", but command(...) has no case for it");
    };
  }

  /**
   * Returns the command that the command line names, or else all commands. Picocli reads the
   * options of commands by reflection, which is slow.
   */
  private static List<Object> commands(Terminal terminal, String... args) {
    if (args.length > 0 && COMMANDS.contains(args[0])) {
      return List.of(command(args[0], terminal));
    }
    List<Object> all = new ArrayList<>();
    for (String name : COMMANDS) {
      all.add(command(name, terminal));
    }
    return all;
  }

  private static <T> T number(String text, Function<String, T> parse, String wanted) {
    try {
      return parse.apply(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not " + wanted);
    }
  }

  /** Returns the reason of a usage error, with similar commands, options and values. */
  private static String reason(ParameterException e) {
    if (e.getArgSpec() instanceof OptionSpec option
        && option.type().isEnum()
        && option.converters().length == 0
        && isOfValue(e)) {
      return "Invalid value for option '%s': expected one of %s, found '%s'"
          .formatted(
              option.longestName(),
              Arrays.stream(option.type().getEnumConstants())
                  .map(value -> value.toString().toLowerCase(Locale.ROOT))
                  .collect(Collectors.joining(", ")),
              e.getValue());
    }
    CommandSpec command = e.getCommandLine().getCommandSpec();
    List<String> unmatched = unmatched(e);
    String first =
        unmatched.stream()
            .filter(word -> word.startsWith("--"))
            .findFirst()
            .orElse(unmatched.isEmpty() ? "" : unmatched.get(0));
    if (unmatched.contains("") && !command.positionalParameters().isEmpty()) {
      return command.positionalParameters().get(0).paramLabel() + ": " + PathConverter.EMPTY;
    }
    boolean isOption = first.startsWith("-");
    if (unmatched.isEmpty() || (!isOption && command.subcommands().isEmpty())) {
      return String.valueOf(e.getMessage());
    }
    Collection<String> known =
        isOption ? command.optionsMap().keySet() : command.subcommands().keySet();
    List<String> near =
        isOption && !first.startsWith("--") ? List.of() : SimilarNames.of(first, known);
    return (isOption ? "Unknown option: '" : "Unknown command: '")
        + first
        + "'"
        + (!near.isEmpty()
            ? SimilarNames.hint(near)
            : isOption ? "" : "; commands: " + String.join(", ", known));
  }

  /**
   * Returns arguments that the command does not have. They are reported before missing arguments.
   */
  private static List<String> unmatched(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unknown) {
      return unknown.getUnmatched();
    }
    return e instanceof MissingParameterException
        ? e.getCommandLine().getUnmatchedArguments().stream()
            .filter(word -> word.startsWith("-"))
            .toList()
        : List.of();
  }

  /** Returns whether a value cannot be converted; missing and surplus ones have their own types. */
  private static boolean isOfValue(ParameterException e) {
    return e.getClass() == ParameterException.class && e.getValue() != null;
  }

  private static int badUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    command.getErr().println("dra4j: " + Terminal.safe(reason(e)));
    command.getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return ExitCode.BAD_INPUT.value();
  }

  /** Reports a bug of the program in one line; the stack trace only on request. */
  private static int failed(Terminal terminal, Throwable e) {
    terminal.err().println("dra4j: internal error: " + Terminal.safe(e.toString()));
    if (System.getenv("DRA4J_DEBUG") != null) {
      e.printStackTrace(terminal.err());
    }
    return ExitCode.CRASHED.value();
  }

  /** Reports text that is no file name here: it has a NUL, or characters not in the locale. */
  private static int noName(Terminal terminal, InvalidPathException e) {
    terminal.problem(PathConverter.problem(e));
    return ExitCode.BAD_INPUT.value();
  }

  /** Reports that the kubeconfig file is missing or bad, so that the cluster is not known. */
  private static int noCluster(Terminal terminal, KubernetesClientException e) {
    terminal.problem(ClusterSource.NAME + ": " + Kubeconfig.reason(e));
    return ExitCode.BAD_INPUT.value();
  }

  private static int lost(Terminal terminal, LostException e) {
    terminal.problem("cannot write standard output: " + e.reason());
    return ExitCode.LOST.value();
  }

  private static PrintWriter writer(OutputStream stream) {
    return new PrintWriter(
        new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8)), false);
  }

  /** Reads the version from the jar's manifest. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      @Nullable String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"dra4j " + (version == null ? "(unpackaged)" : version)};
    }
  }
}
