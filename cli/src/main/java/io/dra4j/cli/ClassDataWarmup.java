package io.dra4j.cli;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Does some of what each command does, so that the JVM can write down which classes that takes. The
 * launcher runs it once for each JVM; its answers go nowhere.
 */
final class ClassDataWarmup {

  /** One line for {@code dra4j cel}, with what common selectors are made of. */
  private static final String QUESTION =
      """
      {"driver": "d", "device": {\
      "attributes": {"i": {"int": 1}, "s": {"string": "x"}, "v": {"version": "1.0.0"}},\
      "capacity": {"c": {"value": "1Gi"}}},\
      "expression": "device.driver == 'd' && device.attributes['d'].i == 1\
       && has(device.attributes['d'].s) && device.attributes['d'].s.matches('^x')\
       && ['x', 'y'].exists(s, s == device.attributes['d'].s)\
       && device.attributes['d'].v.isGreaterThan(semver('0.9.0'))\
       && device.capacity['d'].c.compareTo(quantity('1Mi')) > 0"}
      """;

  private ClassDataWarmup() {}

  /**
   * Rehearses, and ends the JVM with the highest exit code of a command.
   *
   * @param args a manifest whose pods can be placed, if there is one
   */
  public static void main(String[] args) {
    Locale.setDefault(Locale.US);
    System.exit(commands(args).stream().mapToInt(ClassDataWarmup::rehearse).max().orElse(0));
  }

  /** The command lines, with each of the manifests. */
  static List<List<String>> commands(String... manifests) {
    List<List<String>> commands = new ArrayList<>();
    for (String manifest : manifests) {
      commands.add(List.of("validate", manifest));
      commands.add(List.of("explain", manifest));
      commands.add(List.of("allocate", manifest));
    }
    commands.add(List.of("cel"));
    commands.add(List.of("topology", "-o", "json"));
    return commands;
  }

  /** Returns the exit code. */
  static int rehearse(List<String> command) {
    return Main.run(
        new ByteArrayInputStream(QUESTION.getBytes(StandardCharsets.UTF_8)),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        command.toArray(String[]::new));
  }
}
