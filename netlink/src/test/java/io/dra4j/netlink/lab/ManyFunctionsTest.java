package io.dra4j.netlink.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.route.HardwareAddress;
import io.dra4j.netlink.route.Link;
import io.dra4j.netlink.route.RouteNetlink;
import io.dra4j.netlink.route.VirtualFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A host with four NICs of seven virtual functions each: nobody asks for those by accident. */
@EnabledIf(Machine.HAS_MANY_FUNCTIONS)
class ManyFunctionsTest {

  @TempDir private Path directory;

  /** {@code RTM_GETLINK}, 18, in the words of strace or, where it cannot tell, in bytes. */
  private static final Pattern QUESTION =
      Pattern.compile("nlmsg_type=(RTM_GETLINK|0x12)\\b|\"(\\\\x..){4}\\\\x12\\\\x00");

  /** {@code IFLA_EXT_MASK}, 29, with the bit {@code RTEXT_FILTER_VF}, 1. */
  private static final Pattern FUNCTIONS =
      Pattern.compile("RTEXT_FILTER_VF|\\\\x08\\\\x00\\\\x1d\\\\x00\\\\x.[13579bdf]");

  /** Whether each question of a process for links is one for virtual functions, too. */
  private List<Boolean> asked() throws IOException {
    Path trace = directory.resolve("trace");
    List<String> command =
        new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-e", "trace=sendto,sendmsg"));
    command.addAll(List.of("-xx", "-s", "256", "-o", trace.toString()));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(LookUps.class.getName(), "pf0"));
    Machine.Answer answer = Machine.ask(command);
    assertThat(answer.status()).as(answer.output()).isZero();
    assertThat(answer.output()).contains("links, followed", "7 virtual functions");
    List<String> calls = Files.readAllLines(trace);
    assertThat(calls.toString()).as("what strace wrote").containsPattern(QUESTION);
    return calls.stream()
        .filter(line -> QUESTION.matcher(line).find())
        .map(line -> FUNCTIONS.matcher(line).find())
        .toList();
  }

  /** The last question is the one for them. */
  @Test
  void listsAndLookUpsAskForNone() throws IOException {
    List<Boolean> asked = asked();

    assertThat(asked).hasSizeGreaterThan(8).endsWith(true);
    int last = asked.size() - 1;
    assertThat(asked.subList(0, last)).doesNotContain(true);
    System.out.printf(
        "many VFs: %d times asked for links by lists, look-ups, a cache, capture and restore,"
            + " 0 times for virtual functions%n",
        last);
  }

  @Test
  void onRequestAllAreRead() throws IOException {
    int all = 0;
    try (RouteNetlink route = RouteNetlink.open()) {
      assertThat(Machine.physicalFunctions()).hasSize(4);
      for (String name : Machine.physicalFunctions()) {
        Link link = route.links().get(name);
        List<VirtualFunction> functions = route.links().virtualFunctions(link);
        List<HardwareAddress> addresses = new ArrayList<>();
        JsonNode shown = Machine.json("ip -d -j link show dev " + name).get(0);
        for (JsonNode one : shown.get("vfinfo_list")) {
          addresses.add(HardwareAddress.parse(one.get("address").asText()));
        }
        assertThat(functions).hasSize(7).extracting(VirtualFunction::address).isEqualTo(addresses);
        all += functions.size();
      }
    }
    System.out.printf("many VFs: %d read on request%n", all);
    assertThat(all).isEqualTo(28);
  }
}
