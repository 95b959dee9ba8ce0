package io.dra4j.netlink.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** Answers of the kernel, from which the fuzzer starts. */
public final class Seeds {

  private Seeds() {}

  /**
   * Writes each to a file, for Jazzer.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    List<byte[]> inputs = inputs();
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(directory.resolve("seed-" + i), inputs.get(i));
    }
  }

  /** As inputs of {@link DecoderFuzzer#fuzzerTestOneInput}. */
  static List<byte[]> inputs() {
    List<byte[]> inputs = new ArrayList<>();
    try (InputStream file = Objects.requireNonNull(Seeds.class.getResourceAsStream("seeds.txt"))) {
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
        List<byte[]> datagrams = new ArrayList<>();
        String[] words = line.split(" ", -1);
        for (int i = 1; i < words.length; i++) {
          datagrams.add(HexFormat.of().parseHex(words[i]));
        }
        inputs.add(DecoderFuzzer.input(question(words[0]), datagrams));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return inputs;
  }

  private static Question question(String name) {
    return DecoderFuzzer.QUESTIONS.stream()
        .filter(question -> question.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no question " + name));
  }
}
