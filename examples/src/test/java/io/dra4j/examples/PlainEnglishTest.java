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
import java.util.regex.Matcher;
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

  /** A sentence of more words is hard to read: it has more than one thought. */
  private static final int MAX_WORDS = 40;

  private static final Pattern DOC_COMMENT = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");

  /** What is no sentence, or ends one. */
  private static final Pattern BREAK =
      Pattern.compile(
          "(?s:<pre>.*?</pre>|```.*?```)|(?m:^ {4}.*$)|(?m:^ *[|#>].*$)|(?m:^ *(?:[-*]|\\d+\\.) )"
              + "|</?(?:p|ul|ol|li|table|tr|td|th|dl|dt|dd|h\\d)\\b[^>]*>"
              + "|@(?:param|return|throws|see|since)\\b|\\n\\s*\\n");

  private static final Pattern WORD_GAP = Pattern.compile("\\s+");

  /** Javadoc ends the sentence of an inline return at its brace. */
  private static final Pattern END_OF_SENTENCE =
      Pattern.compile("(?<=[.!?:;])\\s+|(?<=\\})\\s+(?=\\p{Lu})");

  private static final Pattern LINK = Pattern.compile("\\{@\\w+\\s+(?:[^}]*\\s)?([^}\\s]*)\\}");

  private static void word(Map<Pattern, String> words, String regex, String instead) {
    words.put(Pattern.compile("(?i)\\b(?:" + regex + ")\\b"), instead);
  }

  @Test
  void mainCodeAndPagesHaveNoneOfTheWords() throws IOException {
    assertThat(found(PlainEnglishTest::lookForWords)).isEmpty();
  }

  @Test
  void sentencesOfDocumentationAreShort() throws IOException {
    assertThat(found(PlainEnglishTest::lookForLongSentences)).isEmpty();
  }

  /** Looks at one file, and adds what it finds. */
  private interface Look {
    void at(Path file, String text, List<String> found);
  }

  private static List<String> found(Look look) throws IOException {
    List<String> found = new ArrayList<>();
    int[] files = new int[1];
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return SKIPPED.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String name = file.getFileName().toString();
            if (attributes.isRegularFile() && (name.endsWith(".java") || name.endsWith(".md"))) {
              files[0]++;
              look.at(file, textOf(file), found);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(files[0]).isGreaterThan(500);
    return found;
  }

  private static String textOf(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (MalformedInputException e) {
      throw new IOException(file + ": expected UTF-8", e);
    }
  }

  private static void lookForWords(Path file, String text, List<String> found) {
    List<String> lines = text.lines().toList();
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

  private static void lookForLongSentences(Path file, String text, List<String> found) {
    if (file.toString().endsWith(".md")) {
      lookForLongSentences(ROOT.relativize(file).toString(), text, found);
      return;
    }
    Matcher comment = DOC_COMMENT.matcher(text);
    while (comment.find()) {
      int line = (int) text.substring(0, comment.start()).lines().count() + 1;
      String written = comment.group(1).replaceAll("\\n\\s*\\* ?", "\n");
      lookForLongSentences(ROOT.relativize(file) + ":" + line, written, found);
    }
  }

  private static void lookForLongSentences(String place, String text, List<String> found) {
    String plain = LINK.matcher(BREAK.matcher(text).replaceAll(" . ")).replaceAll("$1");
    for (String sentence : END_OF_SENTENCE.splitAsStream(plain).toList()) {
      int words = (int) WORD_GAP.splitAsStream(sentence.strip()).count();
      if (words > MAX_WORDS) {
        found.add("%s: %d words; make it two: %s".formatted(place, words, sentence.strip()));
      }
    }
  }
}
