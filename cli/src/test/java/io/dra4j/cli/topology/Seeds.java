package io.dra4j.cli.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/** Recorded topologies and address maps, from which the fuzzer starts. */
public final class Seeds {

  private static final int MOST_BYTES = 8_000;

  private Seeds() {}

  /**
   * Writes each seed to a file, for Jazzer: seeds of the project, and small captures and found
   * files outside the checkout if they exist.
   *
   * @param args the directory
   * @throws IOException if it cannot be written
   */
  public static void main(String[] args) throws IOException {
    Path directory = Files.createDirectories(Path.of(args[0]));
    List<byte[]> inputs = new ArrayList<>(inputs());
    for (String captures : List.of("../shared/found/topology", "../shared/data/topology")) {
      inputs.addAll(captured(Path.of(captures)));
    }
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(directory.resolve("seed-" + i), inputs.get(i));
    }
  }

  private static List<byte[]> captured(Path directory) throws IOException {
    List<byte[]> inputs = new ArrayList<>();
    if (!Files.isDirectory(directory)) {
      return inputs;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = file.getFileName().toString();
        boolean isXml = name.endsWith(".xml");
        boolean isMatrix = name.endsWith(".txt") || file.toString().contains("nvidia-smi");
        if (Files.size(file) > MOST_BYTES || !(isXml || isMatrix)) {
          continue;
        }
        MatrixFuzzer.Reader reader =
            !isXml
                ? MatrixFuzzer.Reader.MATRIX
                : file.toString().contains("hwloc")
                    ? MatrixFuzzer.Reader.HWLOC_XML
                    : MatrixFuzzer.Reader.NCCL_XML;
        inputs.add(reader.input(Files.readAllBytes(file)));
      }
    }
    return inputs;
  }

  /** The seeds of {@code seeds.txt}, as inputs of {@link MatrixFuzzer#fuzzerTestOneInput}. */
  static List<byte[]> inputs() {
    List<byte[]> inputs = new ArrayList<>();
    try (InputStream file = Objects.requireNonNull(Seeds.class.getResourceAsStream("seeds.txt"))) {
      String text = new String(file.readAllBytes(), UTF_8);
      for (String one : text.split("(?m)^==== ", -1)) {
        int end = one.indexOf('\n');
        if (end > 0 && !one.startsWith("#")) {
          String reader = one.substring(0, end).strip().toUpperCase(Locale.ROOT);
          inputs.add(
              MatrixFuzzer.Reader.valueOf(reader).input(one.substring(end + 1).getBytes(UTF_8)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return inputs;
  }
}
