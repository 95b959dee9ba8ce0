package io.dra4j.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.common.KubernetesVersion;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The Go program of {@code benchmarks/go}, which answers with the released Kubernetes code: of
 * 1.37, or of the release that {@code -Ddifferential.kubernetes} names.
 */
public final class GoReference {

  public static final Path SOURCES = Path.of("../benchmarks/go");

  /** The release whose answers are compared. */
  public static final KubernetesVersion RELEASE =
      KubernetesVersion.parse(System.getProperty("differential.kubernetes", "1.37")).orElseThrow();

  private static final ObjectMapper JSON = new ObjectMapper();

  /** How the program is built around a release that is not the default. */
  private static final Map<KubernetesVersion, List<String>> TAGS =
      Map.of(KubernetesVersion.V1_38, List.of("-modfile=go38.mod", "-tags", "kube38"));

  /**
   * The number of files of a run: few enough for a command line, many enough that the start does
   * not count.
   */
  private static final int FILES_AT_A_TIME = 200;

  private final Path binary;

  private GoReference(Path binary) {
    this.binary = binary;
  }

  /** Builds the program; returns nothing if Go is not installed. */
  public static Optional<GoReference> build(Path target) throws IOException, InterruptedException {
    Optional<Path> go =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(directory -> Path.of(directory, "go"))
            .filter(Files::isExecutable)
            .findFirst();
    if (go.isEmpty()) {
      return Optional.empty();
    }
    Path binary = target.toAbsolutePath().resolve("oracle");
    List<String> command = new ArrayList<>(List.of(go.get().toString(), "build"));
    command.addAll(TAGS.getOrDefault(RELEASE, List.of()));
    command.addAll(List.of("-o", binary.toString(), "."));
    run(SOURCES, command, target.resolve("go-build.log"));
    return Optional.of(new GoReference(binary));
  }

  /** Writes fresh snapshots; the same seed gives the same ones. */
  List<Path> generate(String profile, long seed, int count, Path directory)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    run(
        directory,
        List.of(
            binary.toString(),
            "generate",
            "--profile",
            profile,
            "--seed",
            Long.toString(seed),
            "--count",
            Integer.toString(count),
            "--out",
            "."),
        directory.resolve("generate.log"));
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  /** The answer for each file, in order. */
  List<JsonNode> allocate(List<Path> files, String features)
      throws IOException, InterruptedException {
    return allocate(files, features, Duration.ofMinutes(1));
  }

  /** The answer for each file, in order; {@code errorScope} timeout where a node takes longer. */
  List<JsonNode> allocate(List<Path> files, String features, Duration perNode)
      throws IOException, InterruptedException {
    List<JsonNode> answers = new ArrayList<>();
    for (int from = 0; from < files.size(); from += FILES_AT_A_TIME) {
      List<Path> some = files.subList(from, Math.min(files.size(), from + FILES_AT_A_TIME));
      Path out = binary.resolveSibling("oracle.jsonl");
      List<String> command =
          new ArrayList<>(
              List.of(
                  binary.toString(),
                  "allocate",
                  "--features",
                  features,
                  "--timeout",
                  perNode.toMillis() + "ms"));
      some.forEach(file -> command.add(file.toAbsolutePath().toString()));
      run(out.resolveSibling("."), command, out);
      for (String line : Files.readAllLines(out)) {
        answers.add(JSON.readTree(line));
      }
    }
    return answers;
  }

  /**
   * The answers to lines of selectors and devices, in order. Where the compiler of cel-go panics,
   * and with it the whole program, the answer has {@code panic}.
   */
  public List<JsonNode> cel(List<String> lines, String environment)
      throws IOException, InterruptedException {
    Path in = binary.resolveSibling("oracle-cel.jsonl");
    Path out = binary.resolveSibling("oracle.jsonl");
    List<JsonNode> answers = new ArrayList<>();
    while (answers.size() < lines.size()) {
      Files.write(in, lines.subList(answers.size(), lines.size()));
      String panic = "";
      try {
        run(
            out.resolveSibling("."),
            List.of(binary.toString(), "cel", "--env", environment),
            Redirect.from(in.toFile()),
            out);
      } catch (IOException e) {
        panic = String.valueOf(e.getMessage());
        if (!panic.contains("panic: ")) {
          throw e;
        }
      }
      for (String line : Files.readAllLines(out)) {
        answers.add(JSON.readTree(line));
      }
      if (!panic.isEmpty()) {
        answers.add(JSON.createObjectNode().put("panic", panic));
      }
    }
    return answers;
  }

  private static void run(Path directory, List<String> command, Path out)
      throws IOException, InterruptedException {
    run(directory, command, Redirect.PIPE, out);
  }

  private static void run(Path directory, List<String> command, Redirect in, Path out)
      throws IOException, InterruptedException {
    Path err = out.resolveSibling(out.getFileName() + ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(in)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    if (RELEASE == KubernetesVersion.V1_38) {
      builder.environment().put("GOTOOLCHAIN", "go1.27.3"); // which go38.mod wants
    }
    Process process = builder.start();
    if (!process.waitFor(30, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException("no answer within 30 minutes: " + command.get(0));
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          "exit status %d of %s: %s"
              .formatted(process.exitValue(), command.get(0), Files.readString(err)));
    }
  }
}
