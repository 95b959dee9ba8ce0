package io.dra4j.dranet.cloud;

import io.dra4j.model.DeviceAttribute;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The groups of 1, 4, 8 and 16 Neuron accelerators to which each EFA interface of a machine
 * belongs. The driver of the accelerators publishes the same attributes, so that a constraint of a
 * claim can align interfaces with accelerators. Immutable.
 */
final class NeuronGroups {

  private static final String TABLE = "neuron.txt";
  private static final List<Integer> SIZES = List.of(4, 8, 16);
  private static final int DIGITS = 16; // of the hash, as in the table's own library

  static final NeuronGroups NONE = new NeuronGroups(List.of());

  /**
   * The PCI function of the interface of each accelerator. Two accelerators may share an interface.
   */
  private final List<String> functions;

  private NeuronGroups(List<String> functions) {
    this.functions = List.copyOf(functions);
  }

  /** Returns the groups of an instance type; {@link #NONE} if it has no such accelerators. */
  static NeuronGroups of(String instanceType) {
    try (InputStream in = NeuronGroups.class.getResourceAsStream(TABLE)) {
      String table =
          new String(Objects.requireNonNull(in, TABLE).readAllBytes(), StandardCharsets.UTF_8);
      return table
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split(" \\| ", 2))
          .filter(line -> words(line[0]).contains(instanceType))
          .map(line -> new NeuronGroups(words(line[1])))
          .findFirst()
          .orElse(NONE);
    } catch (IOException e) {
      throw new UncheckedIOException(TABLE, e);
    }
  }

  private static List<String> words(String text) {
    return List.of(text.split(" ", -1));
  }

  /** Returns the attributes of the interface on a PCI function; none without an accelerator. */
  Map<String, DeviceAttribute> attributesOf(String function) {
    String address = function.toLowerCase(Locale.ROOT);
    int accelerator = functions.indexOf(address);
    Map<String, DeviceAttribute> attributes = new TreeMap<>();
    if (accelerator >= 0) {
      attributes.put(name(1), DeviceAttribute.of(address));
      for (int size : SIZES) {
        int first = accelerator / size * size;
        attributes.put(
            name(size), DeviceAttribute.of(hash(functions.subList(first, first + size))));
      }
    }
    return attributes;
  }

  private static String name(int size) {
    return "resource.aws.com/devicegroup" + size + "_id";
  }

  private static String hash(List<String> group) {
    String text = group.stream().distinct().sorted().collect(Collectors.joining(","));
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
