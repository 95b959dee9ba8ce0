package io.dra4j.cli.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An example file to try and to copy. The comment at its beginning states its purpose and its
 * machine.
 *
 * @param name the name of the file, in the directory {@code examples} of a checkout
 * @param about the purpose of the example, in sentences
 * @param machine the machine of the example
 * @param text the whole file
 */
record Example(String name, String about, String machine, String text) {

  /** The names in the order of the list: simple examples come first. */
  private static final List<String> NAMES =
      List.of(
          "one-pair-of-eight.yaml",
          "gke-a4-aligned.yaml",
          "eight-roots-pairwise.yaml",
          "nd-h100-v5-numa.yaml",
          "nd-h100-v5.nccl.xml",
          "two-nodes-scale-out.yaml",
          "gpus-without-nics.yaml",
          "aws-p4d-efa.yaml",
          "azure-mi300x-nics.yaml",
          "oci-gb200-numa.yaml",
          "azure-gb300-numa.yaml");

  private static final String MACHINE = "Machine: ";

  /** Returns all examples, from the resources of this program. */
  static List<Example> all() {
    return NAMES.stream().map(Example::read).toList();
  }

  private static Example read(String name) {
    try (InputStream in = Example.class.getResourceAsStream("examples/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the example " + name + " is not in the jar");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> paragraphs = paragraphs(text);
      String machine =
          paragraphs.stream()
              .filter(paragraph -> paragraph.startsWith(MACHINE))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException(name + " names no machine"));
      return new Example(name, paragraphs.get(0), machine.substring(MACHINE.length()), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the paragraphs of the comment at the beginning, in YAML or XML, each as one line. */
  private static List<String> paragraphs(String text) {
    List<String> paragraphs = new ArrayList<>();
    StringBuilder paragraph = new StringBuilder();
    for (String line : text.lines().toList()) {
      boolean ends = !line.startsWith("#") && !line.startsWith("<!--") && !line.startsWith(" ");
      String words = line.replaceFirst("^(#|<!--)", "").strip();
      if (!ends && !words.isEmpty()) {
        paragraph.append(paragraph.isEmpty() ? "" : " ").append(words);
      } else if (!paragraph.isEmpty()) {
        paragraphs.add(paragraph.toString());
        paragraph.setLength(0);
      }
      if (ends && !line.isEmpty()) {
        break;
      }
    }
    return paragraphs;
  }

  /** Returns whether the example is a cluster with pods or claims to place, not a topology. */
  boolean isCluster() {
    return name.endsWith(".yaml");
  }
}
