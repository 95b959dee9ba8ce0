package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table {@code strange.txt}: input that users give to the command, and the messages. */
class StrangeFilesTest {

  private static final Path TABLE = Path.of("src/test/resources/io/dra4j/cli/strange.txt");

  /** Terms of Java in messages do not help users. */
  private static final Pattern OUR_WORDS =
      Pattern.compile("internal error|Exception|java[.]|picocli|Jackson|StreamRead|REDACTED|null;");

  @TempDir static Path directory;

  /**
   * A row of the table.
   *
   * @param more whether there are more lines than the first
   */
  record Row(int code, boolean more, String command, String line) {

    static Row parse(String text) {
      String[] parts = text.split(" [|] ?", 3);
      boolean more = parts[0].endsWith("+");
      String code = more ? parts[0].substring(0, parts[0].length() - 1) : parts[0];
      return new Row(Integer.parseInt(code), more, parts[1], parts[2]);
    }

    Cli run() throws IOException {
      String words = command;
      byte[] input = {};
      int at = command.indexOf(" <<< ");
      if (at >= 0) {
        input = command.substring(at + 5).getBytes(StandardCharsets.UTF_8);
        words = command.substring(0, at);
      }
      at = words.indexOf(" < ");
      if (at >= 0) {
        input = Files.readAllBytes(directory.resolve(words.substring(at + 3)));
        words = words.substring(0, at);
      }
      List<String> args = new ArrayList<>();
      for (String word : words.split(" +", -1)) {
        args.add(word.equals("\"\"") ? "" : word.replace("@", directory + "/").replace('~', ' '));
      }
      return Cli.runWith(input, args.toArray(String[]::new));
    }

    /** Returns the pattern of the line. */
    Pattern pattern() {
      StringBuilder regex = new StringBuilder();
      for (String part : line.replaceFirst("^> ?", "").split("[*]", -1)) {
        regex
            .append(regex.isEmpty() ? "" : ".*")
            .append(Pattern.quote(part.replace("@", directory + "/")));
      }
      return Pattern.compile(regex.toString());
    }

    boolean isAnswer() {
      return line.startsWith(">") || line.isEmpty();
    }

    @Override
    public String toString() {
      return command;
    }
  }

  static List<Row> rows() throws IOException {
    return Files.readAllLines(TABLE).stream()
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .map(Row::parse)
        .toList();
  }

  @BeforeAll
  static void writeFiles() throws IOException {
    StrangeFiles.writeTo(directory);
  }

  @Test
  void theTableIsLong() throws IOException {
    assertThat(rows().stream().filter(row -> row.code != 0 || !row.isAnswer()))
        .hasSizeGreaterThan(250);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void oneLineSaysWhatIsWrongAndWhere(Row row) throws IOException {
    Cli cli = row.run();

    assertThat(cli.code()).as(cli.err() + cli.out()).isEqualTo(row.code);
    assertThat(cli.err() + cli.out()).doesNotContainPattern(OUR_WORDS);
    List<String> told =
        cli.errLines().stream().filter(line -> !line.startsWith("Try 'dra4j")).toList();
    if (row.isAnswer()) {
      assertThat(told).isEmpty();
      assertThat(cli.out().lines().findFirst().orElse("")).matches(row.pattern());
    } else {
      assertThat(told.get(0)).matches(row.pattern());
      assertThat(told.size() > 1).as("more lines than the first").isEqualTo(row.more);
      assertThat(told).allMatch(line -> line.startsWith("dra4j: ") || line.startsWith("    "));
    }
    if (row.code == 2 && !row.command.startsWith("cel") && !row.command.startsWith("validate")) {
      // A pod with a mistake is reported, and the other pods are placed.
      assertThat(cli.out())
          .matches(Pattern.compile("|\\d+ of \\d+ pods? placed\n.*", Pattern.DOTALL));
    }
  }
}
