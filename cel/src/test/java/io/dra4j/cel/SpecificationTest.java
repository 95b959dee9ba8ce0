package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.dra4j.cel.internal.library.Dialect;
import io.dra4j.cel.internal.library.SpecificationDialect;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of the CEL specification, in the profile without protobuf messages of its own. They
 * come with the Go module {@code cel.dev/expr}, which Go fetches unless it is there; {@code
 * -Dspecification.required=true} makes it an error that they cannot be had.
 */
class SpecificationTest {

  private static final String MODULE = "cel.dev/expr@v0.25.3";
  private static final int LEAST_CASES = 1_500;

  @Test
  void everyCaseOfTheProfileIsAnsweredAsTheSpecificationSays(@TempDir Path directory)
      throws IOException, InterruptedException {
    run(SpecificationDialect.DIALECT, "the specification", Map.of(), directory);
  }

  @Test
  void theEnvironmentOfKubernetesAnswersLikewiseButForTheListedCases(@TempDir Path directory)
      throws IOException, InterruptedException {
    run(Dialect.KUBERNETES, "Kubernetes", otherwise(), directory);
  }

  private static void run(
      Dialect dialect, String environment, Map<String, TextProto> otherwise, Path directory)
      throws IOException, InterruptedException {
    Optional<Path> module = module(directory);
    if (!Boolean.getBoolean("specification.required")) {
      Assumptions.assumeTrue(module.isPresent(), "needs Go to fetch " + MODULE);
    }
    assertThat(module).as("Go module " + MODULE).isPresent();
    SpecificationRunner runner = new SpecificationRunner(dialect);
    List<String> failures = new ArrayList<>();
    Map<String, Integer> leftOut = new TreeMap<>();
    int run = 0;
    int asKubernetes = 0;
    System.out.printf("specification, environment of %s:%n", environment);
    for (Path path : files(module.get().resolve("tests/simple/testdata"))) {
      String file = path.getFileName().toString().replace(".textproto", "");
      List<SpecificationCase> cases =
          SpecificationCase.of(file, TextProto.parse(Files.readString(path)), otherwise);
      int before = failures.size();
      int out = 0;
      for (SpecificationCase test : cases) {
        Optional<String> reason = SpecificationCase.leftOut(file).or(() -> test.leftOut(dialect));
        if (reason.isPresent()) {
          leftOut.merge(reason.get(), 1, Integer::sum);
          out++;
          continue;
        }
        asKubernetes += otherwise.containsKey(test.name()) ? 1 : 0;
        runner.problem(test).ifPresent(problem -> failures.add(test + "\n    " + problem));
      }
      int failed = failures.size() - before;
      run += cases.size() - out;
      System.out.printf(
          "specification: %-16s %4d passed, %d failed, %d left out%n",
          file, cases.size() - out - failed, failed, out);
    }
    System.out.printf(
        "specification, environment of %s: %d cases, %d passed: %d by the specification's own"
            + " answer, %d by that of Kubernetes; left out: %s%n",
        environment,
        run,
        run - failures.size(),
        run - failures.size() - asKubernetes,
        asKubernetes,
        leftOut);
    assertThat(failures).as("failed cases of " + MODULE).isEmpty();
    assertThat(asKubernetes).isEqualTo(otherwise.size());
    assertThat(run).isGreaterThanOrEqualTo(LEAST_CASES);
  }

  private static Map<String, TextProto> otherwise() throws IOException {
    String name = "specification-kubernetes.textproto";
    try (InputStream in =
        Objects.requireNonNull(SpecificationTest.class.getResourceAsStream(name))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return TextProto.parse(text).messages("test").stream()
          .collect(Collectors.toMap(test -> test.string("name"), test -> test));
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".textproto")).sorted().toList();
    }
  }

  /** Where the module is, or nothing without Go or without the module. */
  private static Optional<Path> module(Path directory) throws IOException, InterruptedException {
    boolean hasGo =
        Splitter.on(':')
            .splitToStream(System.getenv().getOrDefault("PATH", ""))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "go")));
    if (!hasGo) {
      return Optional.empty();
    }
    Path out = directory.resolve("module.json");
    Process process =
        new ProcessBuilder("go", "mod", "download", "-json", MODULE)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectErrorStream(true)
            .start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      return Optional.empty();
    }
    Matcher where =
        Pattern.compile("\"Dir\": \"([^\"]+)\"")
            .matcher(Files.readString(out, StandardCharsets.UTF_8));
    return where.find() ? Optional.of(Path.of(where.group(1))) : Optional.empty();
  }
}
