package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java code that README.md and the pages below docs/ show is compiled and tested here. */
class ReadmeTest {

  private static final Path README = Path.of("../README.md");
  private static final Pattern JAVA = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern MARKED =
      Pattern.compile("(?ms)^ *// README: begin\n(.*?)^ *// README: end$");

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(README, Path.of("../CONTRIBUTING.md")));
    pages.addAll(files(Path.of("../docs"), ".md"));
    return pages;
  }

  private static List<Path> pagesWithJava() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path page : pages()) {
      if (JAVA.matcher(Files.readString(page)).find()) {
        pages.add(page);
      }
    }
    return pages;
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (Path file : files(Path.of("src"), ".java")) {
      sources.add(Files.readString(file));
    }
    return sources;
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1).stripTrailing()).toList();
  }

  /** Code without the indentation of the method that it is in. */
  private static boolean contains(String source, String code) {
    return Stream.of(0, 2, 4, 6)
        .anyMatch(
            spaces ->
                source.contains(code.indent(spaces).replaceAll("(?m)^ +$", "").stripTrailing()));
  }

  @ParameterizedTest
  @MethodSource("pagesWithJava")
  void showsCodeThatIsCompiled(Path page) throws IOException {
    List<String> sources = sources();

    assertThat(found(JAVA, Files.readString(page)))
        .allSatisfy(code -> assertThat(sources).anyMatch(source -> contains(source, code)));
  }

  @Test
  void theCodeThatIsMarkedIsShown() throws IOException {
    StringBuilder shown = new StringBuilder();
    for (Path page : pages()) {
      shown.append(Files.readString(page));
    }
    List<String> marked = new ArrayList<>();
    for (String source : sources()) {
      marked.addAll(found(MARKED, source));
    }
    assertThat(marked)
        .hasSizeGreaterThan(9)
        .allSatisfy(code -> assertThat(shown).contains(code.stripIndent()));
  }

  @ParameterizedTest
  @CsvSource({
    "src/main/java/io/dra4j/examples/GpuDriver.java, drivers.md",
    "src/test/java/io/dra4j/examples/GpuDriverKitTest.java, drivers.md",
    "src/main/java/io/dra4j/examples/PartitionedGpuDriver.java, health.md"
  })
  void showsTheWholeDriver(String file, String page) throws IOException {
    String source = Files.readString(Path.of(file));

    assertThat(Files.readString(Path.of("../docs").resolve(page)))
        .contains(source.substring(source.indexOf("import ")).stripTrailing());
  }

  @Test
  void showsWhatTheCodePrints() throws Exception {
    Path cluster = Path.of("gke-a4-aligned.yaml");

    assertThat(oneLine(README))
        .contains(
            AllocateFromDump.pairs(cluster, "a4-0", 1), AllocateFromDump.pairs(cluster, "a4-0", 9));
    assertThat(oneLine(Path.of("../docs/placement.md")))
        .contains(
            ChooseTheBest.score(cluster, "a4-0", 2),
            PlaceAGang.plan(cluster, 2),
            PlaceAGang.plan(cluster, 20));
  }

  /** The text of a page whose long lines of output are broken. */
  private static String oneLine(Path page) throws IOException {
    return Files.readString(page).replaceAll("\\s+", " ");
  }

  @ParameterizedTest
  @CsvSource({
    "README.md, 200, 120",
    "CONTRIBUTING.md, 120, 240",
    "docs/architecture.md, 200, 240",
    "docs/index.md, 60, 240"
  })
  void staysShort(String page, int lines, int width) throws IOException {
    List<String> text = Files.readAllLines(Path.of("..", page));

    assertThat(text.size()).isLessThanOrEqualTo(lines);
    assertThat(text.stream().filter(line -> line.length() > width)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"README.md", "docs/modules.md"})
  void theTableOfArtifactsIsTheBom(String page) throws IOException {
    Set<String> listed = artifacts(Path.of("..", page), "(?m)^\\| `(dra4j-[a-z]+)` \\|");
    Set<String> published =
        artifacts(Path.of("../bom/pom.xml"), "<artifactId>(dra4j-[a-z]+)</artifactId>");
    published.removeAll(Set.of("dra4j-parent", "dra4j-bom"));

    assertThat(listed).isEqualTo(published);
  }

  private static Set<String> artifacts(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
