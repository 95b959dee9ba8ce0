package io.dra4j.manifest.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import io.dra4j.manifest.validation.ValidationCases.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Objects from which the fuzzer of the validator starts. */
public final class Seeds {

  private static final int SMALL = 4000;

  private Seeds() {}

  /**
   * Writes each to a file, for Jazzer: the valid objects as YAML, and the small ones that break or
   * just keep a rule.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    String valid = new String(ValidationCases.resource("valid.yaml"), UTF_8);
    int number = 0;
    for (String document : Splitter.on("\n---\n").split(valid)) {
      Files.writeString(directory.resolve("valid-" + number++), document);
    }
    List<Case> cases = new ArrayList<>(ValidationCases.breaking());
    cases.addAll(ValidationCases.keeping());
    for (Case one : cases) {
      String text = one.changed().toString();
      if (text.length() <= SMALL) {
        Files.writeString(directory.resolve("case-" + number++), text);
      }
    }
  }
}
