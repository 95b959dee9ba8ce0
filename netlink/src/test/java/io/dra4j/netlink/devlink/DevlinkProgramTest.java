package io.dra4j.netlink.devlink;

import static io.dra4j.netlink.Recording.attribute;
import static io.dra4j.netlink.Recording.concat;
import static io.dra4j.netlink.Recording.text;
import static io.dra4j.netlink.Recording.u16;
import static io.dra4j.netlink.Recording.u32;
import static io.dra4j.netlink.Recording.u8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.netlink.MessageFlags;
import io.dra4j.netlink.NetlinkSocket;
import io.dra4j.netlink.RecordedTransport;
import io.dra4j.netlink.Recording;
import io.dra4j.netlink.generic.GenericNetlink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The program {@code devlink} of iproute2 and we ask the same, and read the same from the same
 * answers. Neither hosts of tests nor the machines of the lab have a device that devlink knows, so
 * the answers come from a library that is loaded before the program's own.
 */
@EnabledIf("canRun")
class DevlinkProgramTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int FAMILY = 22;
  private static final String NAME = "pci/0000:8f:00.0";
  private static final DevlinkDevice DEVICE = new DevlinkDevice("pci", "0000:8f:00.0");
  private static final byte[] HANDLE =
      concat(attribute(1, text("pci")), attribute(2, text("0000:8f:00.0")));

  @TempDir private Path directory;

  static boolean canRun() throws IOException {
    return exists("gcc", "--version") && exists("devlink", "-V");
  }

  private static boolean exists(String... command) throws IOException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      return false;
    }
  }

  @BeforeEach
  void compile() throws IOException {
    Path source = directory.resolve("answers.c");
    try (InputStream in =
        Objects.requireNonNull(DevlinkProgramTest.class.getResourceAsStream("answers.c"))) {
      Files.copy(in, source);
    }
    run(Map.of(), List.of("gcc", "-shared", "-fPIC", "-o", file("answers.so"), source.toString()));
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private static String run(Map<String, String> environment, List<String> command)
      throws IOException {
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
      return output;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] header(int command) {
    return new byte[] {(byte) command, 1, 0, 0};
  }

  private static byte[] family() {
    return concat(
        header(1),
        attribute(2, text("devlink")),
        attribute(1, u16(FAMILY)),
        attribute(3, u32(1)),
        attribute(4, u32(0)),
        attribute(5, u32(200)));
  }

  /** A request of which the program and we have the same: what follows the message's header. */
  private record Exchange(List<byte[]> parts, boolean dump, List<byte[]> replies) {

    byte[] request() {
      return concat(parts.toArray(byte[][]::new));
    }
  }

  private static byte[] message(int type, int flags, byte[] payload) {
    return concat(u32(16 + payload.length), u16(type), u16(flags), u32(0), u32(0), payload);
  }

  private static byte[] acknowledgement() {
    return message(2, 0x100, concat(u32(0), new byte[16]));
  }

  /** What the program prints when it gets the answers; it must have asked as expected. */
  private JsonNode printed(Exchange exchange, String command) throws IOException {
    List<byte[]> answers = new ArrayList<>();
    answers.add(message(16, 0, family()));
    answers.add(acknowledgement());
    for (byte[] reply : exchange.replies) {
      answers.add(message(FAMILY, exchange.dump ? MessageFlags.MULTI : 0, reply));
    }
    answers.add(exchange.dump ? message(3, MessageFlags.MULTI, u32(0)) : acknowledgement());
    List<String> lines = answers.stream().map(HexFormat.of()::formatHex).toList();
    Files.write(directory.resolve("answers"), lines);
    String output =
        run(
            Map.of(
                "LD_PRELOAD", file("answers.so"),
                "QUESTIONS", file("questions"),
                "ANSWERS", file("answers")),
            List.of(("devlink -j " + command).split(" ")));

    List<String> questions = Files.readAllLines(directory.resolve("questions"));
    assertThat(questions).hasSize(2);
    byte[] question = HexFormat.of().parseHex(questions.get(1));
    question[17] = exchange.request()[1]; // the version, which the kernel does not look at
    assertThat(HexFormat.of().formatHex(question, 16, question.length))
        .isEqualTo(HexFormat.of().formatHex(exchange.request()));
    assertThat(question[4]).isEqualTo((byte) FAMILY);
    assertThat((question[7] & 3) == 3).as("a dump").isEqualTo(exchange.dump);
    return JSON.readTree(output);
  }

  /** Us, with the same answers; a request other than the expected one fails. */
  private static Devlink ours(Exchange exchange) throws IOException {
    Recording recording =
        new Recording()
            .sent(16, 0, header(3), attribute(2, text("devlink")))
            .received(16, 0, family());
    recording.sent(FAMILY, exchange.dump ? MessageFlags.DUMP : 0, exchange.request());
    for (byte[] reply : exchange.replies) {
      recording.received(FAMILY, exchange.dump ? MessageFlags.MULTI : 0, reply);
    }
    RecordedTransport transport = (exchange.dump ? recording.done() : recording).play();
    return Devlink.over(GenericNetlink.over(NetlinkSocket.over(transport)));
  }

  @Test
  void devicesAreThoseThatDevlinkLists() throws IOException {
    byte[] other = concat(attribute(1, text("auxiliary")), attribute(2, text("mlx5_core.sf.4")));
    Exchange exchange =
        new Exchange(
            List.of(header(1)),
            true,
            List.of(concat(header(3), HANDLE, attribute(136, u8(0))), concat(header(3), other)));

    JsonNode printed = printed(exchange, "dev show").get("dev");

    try (Devlink devlink = ours(exchange)) {
      assertThat(devlink.devices())
          .extracting(DevlinkDevice::toString)
          .containsExactlyElementsOf(fields(printed).keySet())
          .containsExactly(NAME, "auxiliary/mlx5_core.sf.4");
    }
  }

  private static Map<String, JsonNode> fields(JsonNode object) {
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    object.properties().forEach(entry -> fields.put(entry.getKey(), entry.getValue()));
    return fields;
  }

  private static Map<String, String> versions(JsonNode object) {
    Map<String, String> versions = new TreeMap<>();
    fields(object).forEach((name, value) -> versions.put(name, value.asText()));
    return versions;
  }

  private static byte[] version(int kind, String name, String value) {
    return attribute(kind, attribute(103, text(name)), attribute(104, text(value)));
  }

  @Test
  void informationIsThatWhichDevlinkShows() throws IOException {
    Exchange exchange =
        new Exchange(
            List.of(header(51), HANDLE),
            false,
            List.of(
                concat(
                    header(51),
                    HANDLE,
                    attribute(98, text("mlx5_core")),
                    attribute(99, text("MT2147X01234")),
                    attribute(146, text("board-7")),
                    version(100, "fw.psid", "MT_0000000838"),
                    version(101, "fw.version", "28.39.1002"),
                    version(101, "fw", "28.39.1002"),
                    version(102, "fw.version", "28.40.1000"))));

    JsonNode printed = printed(exchange, "dev info " + NAME).get("info").get(NAME);

    try (Devlink devlink = ours(exchange)) {
      assertThat(devlink.information(DEVICE))
          .isEqualTo(
              new DeviceInformation(
                  DEVICE,
                  printed.get("driver").asText(),
                  printed.get("serial_number").asText(),
                  printed.get("board.serial_number").asText(),
                  versions(printed.get("versions").get("fixed")),
                  versions(printed.get("versions").get("running")),
                  versions(printed.get("versions").get("stored"))));
    }
    assertThat(printed.get("versions").get("running")).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"0, legacy", "1, switchdev"})
  void theModeOfTheSwitchIsThatWhichDevlinkShows(int number, String mode) throws IOException {
    Exchange exchange =
        new Exchange(
            List.of(header(29), HANDLE),
            false,
            List.of(concat(header(29), HANDLE, attribute(25, u16(number)))));

    JsonNode printed = printed(exchange, "dev eswitch show " + NAME).get("dev").get(NAME);

    try (Devlink devlink = ours(exchange)) {
      assertThat(devlink.switchMode(DEVICE))
          .hasToString(printed.get("mode").asText().toUpperCase(java.util.Locale.ROOT));
    }
    assertThat(printed.get("mode").asText()).isEqualTo(mode);
  }
}
