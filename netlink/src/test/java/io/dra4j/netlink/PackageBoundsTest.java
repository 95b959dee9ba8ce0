package io.dra4j.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A package that one can keep in mind: 45 files and 25 public types, or a reason. */
class PackageBoundsTest {

  private static final Path CLASSES = Path.of("target", "classes");
  private static final int FILES = 45;
  private static final int TYPES = 25;

  /**
   * Packages that have more, and what they have at most.
   *
   * @param files the files
   * @param types the public types, nested ones counted
   * @param reason why it is one package
   */
  private record Larger(int files, int types, String reason) {}

  private static final Map<String, Larger> LARGER =
      Map.of(
          "io.dra4j.netlink",
          new Larger(
              FILES,
              34,
              "thirteen are the kinds of NetlinkException, which a caller catches by name"),
          "io.dra4j.netlink.route",
          new Larger(
              64,
              60,
              "one family, rtnetlink: each of its eight kinds of objects is a value, a codec and a"
                  + " collection, and the codecs and messages that they share are package-private"));

  private static List<String> packages() throws IOException {
    try (Stream<Path> all = Files.walk(CLASSES)) {
      return all.filter(one -> one.getFileName().toString().equals("package-info.class"))
          .map(one -> CLASSES.relativize(one.getParent()).toString().replace('/', '.'))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("packages")
  void isNotLargerThanItsBounds(String name) throws Exception {
    int files = 0;
    List<String> types = new ArrayList<>();
    try (Stream<Path> all = Files.list(CLASSES.resolve(name.replace('.', '/')))) {
      for (Path one : all.filter(path -> path.toString().endsWith(".class")).toList()) {
        String simple = one.getFileName().toString().replace(".class", "");
        if (!simple.equals("package-info")) {
          Class<?> type = Class.forName(name + "." + simple, false, getClass().getClassLoader());
          files += simple.contains("$") ? 0 : 1;
          if (isPublic(type)) {
            types.add(simple);
          }
        }
      }
    }
    Larger bounds = LARGER.getOrDefault(name, new Larger(FILES, TYPES, ""));

    assertThat(files).as("files of %s", name).isPositive().isLessThanOrEqualTo(bounds.files());
    assertThat(types).as("public types").hasSizeLessThanOrEqualTo(bounds.types());
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return Modifier.isPublic(type.getModifiers())
        && !type.isAnonymousClass()
        && (outer == null || isPublic(outer));
  }
}
