package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Filters that {@code tc} made of classic BPF programs of one instruction. */
@EnabledIf(TestNamespace.MAY)
class BpfFiltersTest {

  private static final Map<String, Integer> PROTOCOLS = Map.of("all", 3, "ip", 0x800);

  @TempDir private Path folder;

  private TestNamespace inside;
  private BpfFilters filters;
  private Link link;

  @BeforeEach
  void open() throws IOException {
    inside = new TestNamespace();
    filters = inside.route.filters();
    link = inside.veth("veth0", "veth1");
    inside.run("tc", "qdisc add dev veth0 clsact");
  }

  @AfterEach
  void close() {
    inside.close();
  }

  private void add(String place, String options) throws IOException {
    Path program = Files.writeString(folder.resolve("program"), "1,6 0 0 4294967295,");
    inside.run("tc filter add dev veth0", place, options, "bytecode-file " + program);
  }

  private List<BpfFilter> seenByTc(String place, int parent) throws IOException {
    List<BpfFilter> seen = new ArrayList<>();
    for (JsonNode one : inside.json("tc -j filter show dev veth0 " + place)) {
      JsonNode options = one.path("options");
      if (options.has("handle")) { // the other lines are chains
        seen.add(
            new BpfFilter(
                link.index(),
                parent,
                Integer.decode(options.get("handle").asText()),
                one.get("pref").asInt(),
                PROTOCOLS.getOrDefault(one.get("protocol").asText(), -1),
                "",
                0,
                options.path("direct-action").asBoolean(false)));
      }
    }
    return seen;
  }

  private List<BpfFilter> seenByTc() throws IOException {
    List<BpfFilter> seen = new ArrayList<>(seenByTc("ingress", BpfFilter.INGRESS));
    seen.addAll(seenByTc("egress", BpfFilter.EGRESS));
    return seen;
  }

  @Test
  void areReadAsTcReadsThem() throws IOException {
    add("ingress", "bpf");
    add("ingress", "prio 3 handle 7 bpf");
    add("egress", "protocol ip prio 9 handle 5 bpf da");

    assertThat(filters.list(link.index()))
        .isEqualTo(seenByTc())
        .hasSize(3)
        .contains(new BpfFilter(link.index(), BpfFilter.EGRESS, 5, 9, 0x800, "", 0, true));
    assertThat(filters.list(link.index(), BpfFilter.EGRESS)).hasSize(1);
  }

  @Test
  void areRemovedOneByOne() throws IOException {
    add("ingress", "prio 3 handle 1 bpf");
    add("ingress", "prio 3 handle 2 bpf");
    add("egress", "protocol ip prio 9 handle 5 bpf da");
    List<BpfFilter> before = filters.list(link.index());

    filters.delete(before.get(1));

    assertThat(filters.list(link.index()))
        .containsExactly(before.get(0), before.get(2))
        .isEqualTo(seenByTc());
    filters.delete(before.get(0));
    filters.delete(before.get(2));
    assertThat(seenByTc()).isEmpty();
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> filters.delete(before.get(0)))
        .withMessageStartingWith("delete filter  of link " + link.index());
  }

  @Test
  void filtersOfOtherKindsAreLeftAlone() throws IOException {
    inside.run("tc filter add dev veth0", "ingress prio 1 u32 match u32 0 0");
    add("ingress", "prio 2 bpf");

    assertThat(filters.list(link.index())).extracting(BpfFilter::priority).containsExactly(2);
  }
}
