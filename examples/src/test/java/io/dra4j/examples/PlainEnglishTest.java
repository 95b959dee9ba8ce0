package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Main code and pages are written in plain technical English: some words make that hard. */
class PlainEnglishTest {

  private static final Path ROOT = Path.of("..");

  private static final Set<String> SKIPPED =
      Set.of("target", ".git", "test", "testdata", "node_modules", ".idea");

  /** Each with what stands in its place. */
  private static final Map<Pattern, String> WORDS = words();

  private static Map<Pattern, String> words() {
    Map<Pattern, String> words = new LinkedHashMap<>();
    word(
        words, "(?:no|some|any)body(?!\\()", "the noun that is meant: the user, the caller, a pod");
    word(words, "whoever|whosoever", "the noun that is meant: the caller that, a process that");
    word(words, "tell|tells|told|telling", "say, report, warn, distinguish");
    word(words, "alike", "equal, interchangeable, both");
    word(words, "as far as", "a condition: if, where, up to");
    word(words, "(?:came|comes|became|becomes) of", "the outcome of");
    return words;
  }

  private static void word(Map<Pattern, String> words, String regex, String instead) {
    words.put(Pattern.compile("(?i)\\b(?:" + regex + ")\\b"), instead);
  }

  @Test
  void mainCodeAndPagesHaveNoneOfTheWords() throws IOException {
    List<String> found = new ArrayList<>();
    int[] files = new int[1];
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return SKIPPED.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String name = file.getFileName().toString();
            if (attributes.isRegularFile() && (name.endsWith(".java") || name.endsWith(".md"))) {
              files[0]++;
              look(file, found);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(files[0]).isGreaterThan(500);
    assertThat(found).isEmpty();
  }

  private static void look(Path file, List<String> found) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (MalformedInputException e) {
      throw new IOException(file + ": expected UTF-8", e);
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int number = i + 1;
      WORDS.forEach(
          (word, instead) ->
              word.matcher(line)
                  .results()
                  .forEach(
                      one ->
                          found.add(
                              "%s:%d: '%s'; write %s"
                                  .formatted(
                                      ROOT.relativize(file), number, one.group(), instead))));
    }
  }
}
