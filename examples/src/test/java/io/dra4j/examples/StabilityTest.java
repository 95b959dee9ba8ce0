package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/releasing.md says of each package that users may use how stable it is. */
class StabilityTest {

  private static final Path ROOT = Path.of("..");

  /** Libraries without a module descriptor, in which every package but the internal ones counts. */
  private static final List<String> ON_THE_CLASS_PATH =
      List.of("cel", "kubernetes", "kubelet", "node");

  @Test
  void everyExportedPackageHasOneStability() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/releasing.md"));
    String table = page.substring(page.indexOf("## Stability"), page.indexOf("## Deprecation"));
    List<String> listed = matches("`(io\\.dra4j\\.[a-z.]+)`", table).toList();

    assertThat(listed).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(listed)).isEqualTo(exported());
  }

  private static Set<String> exported() throws IOException {
    Set<String> packages = new TreeSet<>();
    try (Stream<Path> directories = Files.list(ROOT)) {
      for (Path module : directories.map(one -> one.resolve("src/main/java")).toList()) {
        if (Files.exists(module.resolve("module-info.java"))) {
          String descriptor = Files.readString(module.resolve("module-info.java"));
          matches("exports (\\S+);", descriptor).forEach(packages::add);
        }
      }
    }
    for (String library : ON_THE_CLASS_PATH) {
      Path sources = ROOT.resolve(library + "/src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        packages.addAll(
            files
                .filter(file -> file.endsWith("package-info.java"))
                .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                .filter(name -> !name.contains(".internal"))
                .collect(Collectors.toSet()));
      }
    }
    return packages;
  }

  private static Stream<String> matches(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().map(match -> match.group(1));
  }
}
