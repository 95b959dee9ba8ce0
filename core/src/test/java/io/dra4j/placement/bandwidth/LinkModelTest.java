package io.dra4j.placement.bandwidth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dra4j.topology.CpuModel;
import io.dra4j.topology.PathType;
import io.dra4j.topology.PcieLink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LinkModelTest {

  private static final PcieLink GEN5 = new PcieLink(32_000, 16);
  private static final CpuModel SAPPHIRE = new CpuModel("x86_64", "GenuineIntel", 6, 143);
  private static final CpuModel EMERALD = new CpuModel("x86_64", "GenuineIntel", 6, 207);
  private static final CpuModel AMD = new CpuModel("x86_64", "AuthenticAMD", 25, 17);

  private static double rate(PathType type, @Nullable CpuModel cpu) {
    return LinkModel.nccl().gigabytesPerSecond(type, GEN5, GEN5, 400_000, cpu);
  }

  @Test
  void ratesThatCannotBeAreLimited() {
    assertThat(LinkModel.nccl().nicGigabytesPerSecond(null, Long.MAX_VALUE)).isEqualTo(100_000);
  }

  @Test
  void aPairIsAsFastAsItsSlowestPart() {
    assertThat(rate(PathType.SWITCH, SAPPHIRE)).isEqualTo(48);
    assertThat(rate(PathType.HOST_BRIDGE, SAPPHIRE)).isEqualTo(40);
    assertThat(rate(PathType.NUMA_NODE, AMD)).isEqualTo(48);
    assertThat(rate(PathType.SYSTEM, SAPPHIRE)).isEqualTo(22);
    assertThat(rate(PathType.SYSTEM, EMERALD)).isEqualTo(40);
    assertThat(rate(PathType.SYSTEM, AMD)).isEqualTo(16);
    assertThat(LinkModel.nccl().gigabytesPerSecond(PathType.SWITCH, GEN5, GEN5, 200_000, SAPPHIRE))
        .isEqualTo(25);
    assertThat(
            LinkModel.nccl()
                .gigabytesPerSecond(
                    PathType.SWITCH, new PcieLink(16_000, 16), GEN5, 400_000, SAPPHIRE))
        .isEqualTo(24);
  }

  @Test
  void whatNobodyKnowsIsNoFasterThanCrossingTheSystem() {
    assertThat(rate(PathType.UNKNOWN, AMD)).isEqualTo(rate(PathType.SYSTEM, AMD));
  }

  @Test
  void whatNobodyPublishesIsAssumed() {
    assertThat(LinkModel.nccl().gigabytesPerSecond(PathType.SWITCH, null, null, 0, null))
        .isEqualTo(48);
  }

  @ParameterizedTest
  @EnumSource(PathType.class)
  void longerPathsAreNoFaster(PathType type) {
    for (PathType other : PathType.values()) {
      if (type.isWithin(other)) {
        assertThat(rate(other, SAPPHIRE)).isLessThanOrEqualTo(rate(type, SAPPHIRE));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "6.0, 18",
    "8.0.0, 20",
    "8.6, 12",
    "8.7, 20",
    "8.9, 20",
    "9.0, 20.6",
    "10.0, 40.1",
    "10.3.0, 40.1",
    "5.2, 20",
    "x, 20"
  })
  void nvLinksOfAGenerationAreKnown(String capability, double rate) {
    assertThat(LinkModel.nccl().nvLinkGigabytesPerSecond(capability)).isEqualTo(rate);
  }

  @Test
  void aProfileOfOnesOwnChangesWhatItNames(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("ours.json"),
            """
            {"name": "ours", "sources": ["all-gather"],
             "classes": {"SYSTEM": {"efficiency": 0.5}}, "assumed": {"nicGigabytesPerSecond": 25}}
            """);

    LinkModel ours = LinkModel.read(file);

    assertThat(ours.name()).isEqualTo("ours");
    assertThat(ours.sources()).containsExactly("all-gather");
    assertThat(ours.gigabytesPerSecond(PathType.SYSTEM, GEN5, GEN5, 400_000, SAPPHIRE))
        .isEqualTo(11);
    assertThat(ours.gigabytesPerSecond(PathType.SWITCH, null, null, 0, null)).isEqualTo(25);
  }

  @Test
  void anEntryCountsForTheProcessorsThatItNames() throws Exception {
    LinkModel ours =
        LinkModel.parse(
            "ours.json",
            """
            {"name": "ours", "processors": [
              {"family": 6, "model": 207, "interSocketGigabytesPerSecond": 9},
              {"model": 300, "interSocketGigabytesPerSecond": 8},
              {"interSocketGigabytesPerSecond": 5}]}
            """);

    assertThat(ours.interSocketGigabytesPerSecond(EMERALD)).isEqualTo(9);
    assertThat(ours.interSocketGigabytesPerSecond(SAPPHIRE)).isEqualTo(5);
    assertThat(ours.interSocketGigabytesPerSecond(AMD)).isEqualTo(5);
    assertThat(ours.interSocketGigabytesPerSecond(null)).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /name: expected a name of the profile",
        "[] | expected an object, found []",
        "{'name': 'x' | invalid JSON at line 1, column 13",
        "{'name': 'x'} {} | invalid JSON at line 1, column 15",
        "{'name': 'x', 'speed': 1} | /speed: unknown field",
        "{'name': 'x', 'classes': {'NEAR': {}}} | /classes/NEAR: unknown field",
        "{'name': 'x', 'classes': {'SWITCH': {'efficiency': 0.5}, 'SYSTEM': {'efficiency': 0.6}}}"
            + " | /classes/SYSTEM/efficiency: expected a longer path to be no faster",
        "{'name': 'x', 'classes': {'SYSTEM': {'efficiency': -1}}} | expected above 0 and at most 1",
        "{'name': 'x', 'classes': {'SYSTEM': {'efficiency': 'NaN'}}} | expected a finite number",
        "{'name': 'x', 'classes': {'SYSTEM': {'efficiency': 1e999}}} | expected a finite number",
        "{'name': 'x', 'assumed': {'nicGigabytesPerSecond': 0}} | expected above 0",
        "{'name': 'x', 'processors': [{'vendor': 'v', 'interSocketGigabytesPerSecond': 3}]}"
            + " | /processors: expected a last entry without architecture, vendor",
        "{'name': 'x', 'processors': [{'family': 6, 'interSocketGigabytesPerSecond': 3}]}"
            + " | /processors: expected a last entry without architecture, vendor, family and model",
        "{'name': 'x', 'processors': [{'interSocketGigabytesPerSecond': 3},"
            + " {'vendor': 'v', 'interSocketGigabytesPerSecond': 3}]}"
            + " | /processors/0: expected an entry for all processors to be the last one",
        "{'name': 'x', 'processors': [{}]} | /processors/0/interSocketGigabytesPerSecond: is"
            + " missing",
        "{'name': 'x', 'nvLinkGigabytesPerSecond': {'fast': 3}} | expected a compute capability",
        "{'name': 'x', 'nvLinkGigabytesPerSecond': {'9.0': -1}} | 9.0: expected above 0",
        "{'name': 'x', 'classes': {'SYSTEM': {'limitGigabytesPerSecond': -5}}} | expected above 0",
        "{'name': 'x', 'classes': {'SYSTEM': {'limitGigabytesPerSecond': NaN}}} | invalid"
            + " JSON at line 1, column 68",
        "{'name': 'x', 'assumed': {'pcieGigabytesPerSecond': -0.0}} | expected above 0",
        "{'name': 'x', 'classes': {'SWITCH': {'limitGigabytesPerSecond': 20}, 'NUMA_NODE':"
            + " {'limitGigabytesPerSecond': 30}}} | expected a longer path to be no faster",
      })
  void whatCannotBeIsRefused(String json, String problem) {
    assertThatThrownBy(() -> LinkModel.parse("profile.json", json.replace('\'', '"')))
        .isInstanceOf(LinkModelException.class)
        .hasMessageStartingWith("profile.json: ")
        .hasMessageContaining(problem);
  }

  /** Every field of the default profile is in the table of the documentation. */
  @Test
  void everyFieldIsDocumented() throws IOException {
    String table = Files.readString(Path.of("../docs/placement.md"));
    JsonNode profile;
    try (InputStream in = LinkModel.class.getResourceAsStream("nccl.json")) {
      profile = new ObjectMapper().readTree(in);
    }
    Set<String> fields = new TreeSet<>();
    profile.fieldNames().forEachRemaining(fields::add);
    profile.get("assumed").fieldNames().forEachRemaining(name -> fields.add("assumed." + name));
    profile.get("processors").forEach(one -> one.fieldNames().forEachRemaining(fields::add));

    assertThat(fields).contains("interSocketGigabytesPerSecond").hasSizeGreaterThan(10);
    for (String field : fields) {
      assertThat(table).containsPattern("\\| `[^|]*" + Pattern.quote(field) + "[`.]");
    }
    for (String assumed : List.of("pcieGigabytesPerSecond", "nicGigabytesPerSecond")) {
      assertThat(table)
          .contains(
              "| `assumed.%s` | GB/s | %s |"
                  .formatted(assumed, profile.get("assumed").get(assumed).asText()));
    }
    JsonNode links = profile.get("nvLinkGigabytesPerSecond");
    for (String capability : List.of("6.0", "7.0", "8.0", "8.6", "9.0", "10.0")) {
      assertThat(table).contains(capability + ": " + links.get(capability).asText());
    }
  }
}
