package io.dra4j.netlink.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.linux.NetworkNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** What this machine has, and what its own programs say of it. */
public final class Machine {

  /** For conditions: whether a NIC here has virtual functions with drivers. */
  public static final String HAS_FUNCTIONS = "io.dra4j.netlink.lab.Machine#hasVirtualFunctions";

  /** For conditions: whether four NICs here have seven virtual functions each. */
  public static final String HAS_MANY_FUNCTIONS =
      "io.dra4j.netlink.lab.Machine#hasManyVirtualFunctions";

  /** For conditions: whether there are RDMA devices here. */
  public static final String HAS_RDMA = "io.dra4j.netlink.lab.Machine#hasRdma";

  /** For conditions: whether this is a machine of the lab, which always has NICs. */
  public static final String IS_OURS = "io.dra4j.netlink.lab.Machine#isOurs";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path INTERFACES = Path.of("/sys/class/net");

  private Machine() {}

  /**
   * Whether this is a machine of the lab.
   *
   * @return whether its devices may be changed, and kinds of links are required
   */
  public static boolean isOurs() {
    return Objects.equals(System.getenv("LAB"), "1"); // as e2e/lab/run sets it
  }

  static boolean hasVirtualFunctions() throws IOException {
    return isOurs() && !virtualFunctions().isEmpty();
  }

  static boolean hasManyVirtualFunctions() throws IOException {
    return isOurs() && virtualFunctions().size() == 28 && physicalFunctions().size() == 4;
  }

  static boolean hasRdma() {
    return isOurs() && Files.isDirectory(Path.of("/sys/class/infiniband"));
  }

  /**
   * The interfaces of virtual functions.
   *
   * @return their names in order
   * @throws IOException if {@code /sys} cannot be read
   */
  public static List<String> virtualFunctions() throws IOException {
    return interfaces("device/physfn");
  }

  /**
   * The interfaces of functions that have virtual ones.
   *
   * @return their names in order
   * @throws IOException if {@code /sys} cannot be read
   */
  public static List<String> physicalFunctions() throws IOException {
    return interfaces("device/virtfn0");
  }

  /**
   * The interfaces of all devices.
   *
   * @return their names in order
   * @throws IOException if {@code /sys} cannot be read
   */
  public static List<String> nics() throws IOException {
    return interfaces("device");
  }

  private static List<String> interfaces(String entry) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(INTERFACES)) {
      for (Path one : all) {
        if (Files.exists(one.resolve(entry))) {
          names.add(one.getFileName().toString());
        }
      }
    }
    return List.copyOf(names);
  }

  /** What a program printed and how it ended. */
  public record Answer(int status, String output) {}

  /** Runs a program in the process' own namespace. */
  public static Answer ask(String command) throws IOException {
    return ask(List.of(command.split(" ")));
  }

  /** Runs a program in the process' own namespace. */
  static Answer ask(List<String> command) throws IOException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(process.waitFor(), output);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs a program, which must succeed. */
  static String run(String command) throws IOException {
    Answer answer = ask(command);
    assertThat(answer.status()).as("%s: %s", command, answer.output()).isZero();
    return answer.output();
  }

  /** Runs a program that prints JSON. */
  static JsonNode json(String command) throws IOException {
    return JSON.readTree(run(command));
  }

  /**
   * The command line that runs a program inside a namespace. Started by a thread inside, it would
   * leave there the JVM's thread that waits for processes, and so keep the namespace alive.
   */
  static String inside(NetworkNamespace namespace, String command) {
    return "nsenter --net=/proc/%d/fd/%d %s"
        .formatted(ProcessHandle.current().pid(), namespace.descriptor().number(), command);
  }
}
