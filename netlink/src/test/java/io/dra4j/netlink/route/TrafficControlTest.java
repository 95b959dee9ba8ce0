package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.netlink.NetlinkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** Filters that {@code tc} made of classic BPF programs of one instruction. */
@EnabledIf(TestNamespace.MAY)
class TrafficControlTest {

  private static final Map<String, Integer> PROTOCOLS = Map.of("all", 3, "ip", 0x800);

  @TempDir private Path directory;

  private TestNamespace inside;
  private TrafficControls filters;
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
    Path program = Files.writeString(directory.resolve("program"), "1,6 0 0 4294967295,");
    inside.run("tc filter add dev veth0", place, options, "bytecode-file " + program);
  }

  private static String shown(TrafficControl filter) {
    return "%s %s %x pref %d protocol %x chain %d direct %s"
        .formatted(
            filter.parent() == TrafficControl.INGRESS ? "ingress" : "egress",
            filter.type(),
            filter.handle(),
            filter.priority(),
            filter.protocol(),
            filter.chain().orElse(0),
            filter.isDirect());
  }

  private List<String> shown() throws NetlinkException {
    return filters.list(link).stream().map(TrafficControlTest::shown).toList();
  }

  private List<String> seenByTc() throws IOException {
    List<String> seen = new ArrayList<>();
    for (String place : List.of("ingress", "egress")) {
      for (JsonNode one : inside.json("tc -j filter show dev veth0 " + place)) {
        JsonNode options = one.path("options");
        if (options.has("handle")) { // the other lines are chains
          seen.add(
              "%s bpf %x pref %d protocol %x chain %d direct %s"
                  .formatted(
                      place,
                      Integer.decode(options.get("handle").asText()),
                      one.get("pref").asInt(),
                      PROTOCOLS.getOrDefault(one.get("protocol").asText(), -1),
                      one.get("chain").asInt(),
                      options.path("direct-action").asBoolean(false)));
        }
      }
    }
    return seen;
  }

  @Test
  void areReadAsTcReadsThem() throws IOException {
    add("ingress", "bpf");
    add("ingress", "prio 3 handle 7 bpf");
    add("egress", "protocol ip prio 9 handle 5 bpf da");

    add("ingress", "prio 4 handle 8 chain 5 bpf");

    assertThat(shown())
        .isEqualTo(seenByTc())
        .hasSize(4)
        .contains("egress bpf 5 pref 9 protocol 800 chain 0 direct true");
    assertThat(filters.list(link, TrafficControl.EGRESS)).hasSize(1);
  }

  @Test
  void areRemovedOneByOne() throws IOException {
    add("ingress", "prio 3 handle 1 bpf");
    add("ingress", "prio 3 handle 2 bpf");
    add("egress", "protocol ip prio 9 handle 5 bpf da");
    List<TrafficControl> before = filters.list(link);

    filters.delete(before.get(1));

    assertThat(filters.list(link)).containsExactly(before.get(0), before.get(2));
    assertThat(shown()).isEqualTo(seenByTc());
    filters.delete(before.get(0));
    filters.delete(before.get(2));
    assertThat(seenByTc()).isEmpty();
    assertThatExceptionOfType(NetlinkException.NotFound.class)
        .isThrownBy(() -> filters.delete(before.get(0)))
        .withMessageStartingWith("delete filter bpf");
  }

  @Test
  void filtersOfOtherTypesAreToldToo() throws IOException {
    inside.run("tc filter add dev veth0", "ingress prio 1 u32 match u32 0 0");
    add("ingress", "prio 2 bpf");

    assertThat(filters.list(link)).extracting(TrafficControl::type).contains("u32", "bpf");
    assertThat(filters.list(link))
        .filteredOn(one -> one.type().equals("bpf"))
        .extracting(TrafficControl::priority)
        .containsExactly(2);
  }

  @Test
  void aFilterIsRemovedFromItsChainAndFromNoOther() throws IOException {
    add("ingress", "prio 2 handle 1 bpf");
    add("ingress", "prio 2 handle 1 chain 3 bpf");
    List<TrafficControl> both = filters.list(link);
    assertThat(both).extracting(one -> one.chain().orElse(0)).containsExactly(0, 3);

    filters.delete(both.get(1));

    assertThat(filters.list(link)).containsExactly(both.get(0));
  }

  @Test
  void disciplinesClassesAndFiltersAreToldWhenTheyComeAndGo() throws IOException {
    Set<ObjectKind> kinds =
        EnumSet.of(
            ObjectKind.QUEUE_DISCIPLINE, ObjectKind.TRAFFIC_CLASS, ObjectKind.TRAFFIC_FILTER);
    try (RouteMonitor monitor = RouteMonitor.open(inside.namespace, kinds)) {
      inside.run("tc", "qdisc add dev veth0 root handle 1: htb");
      inside.run("tc", "class add dev veth0 parent 1: classid 1:10 htb rate 1mbit");
      add("ingress", "prio 3 handle 7 bpf");
      filters.delete(filters.list(link).get(0));
      inside.run("tc", "class del dev veth0 classid 1:10");
      inside.run("tc", "qdisc del dev veth0 root");

      List<String> told = new ArrayList<>();
      while (!told.contains("QUEUE_DISCIPLINE htb gone")) {
        List<RouteEvent> events = monitor.await(Duration.ofSeconds(20));
        assertThat(events).isNotEmpty();
        for (RouteEvent event : events) {
          TrafficControl object = (TrafficControl) event.object();
          assertThat(object.index()).isEqualTo(link.index());
          told.add(
              object.objectKind().name() + " " + object.type() + (event.gone() ? " gone" : " set"));
        }
      }
      assertThat(told)
          .contains("QUEUE_DISCIPLINE htb set", "TRAFFIC_CLASS htb set", "TRAFFIC_CLASS htb gone")
          .contains("TRAFFIC_FILTER bpf set", "TRAFFIC_FILTER bpf gone");
    }
  }

  @Test
  void aDisciplineIsAddedForFilters() throws IOException {
    Link other = inside.route.links().get("veth1");
    inside.route.queueDisciplines().add(TrafficControl.clsact(other.index()));

    assertThat(inside.run("tc", "qdisc show dev veth1")).contains("clsact");
    assertThat(inside.route.queueDisciplines().list(other))
        .extracting(TrafficControl::type)
        .contains("clsact");
    Agreement.check(inside);
  }

  /** {@code ingress} has one place for filters, whatever side is asked for. */
  @Test
  void filtersOfAnIngressDisciplineAreListedOnce() throws IOException {
    inside.run("tc", "qdisc del dev veth0 clsact");
    inside.run("tc", "qdisc add dev veth0 ingress");
    inside.run(
        "tc filter add dev veth0 parent ffff: protocol ip prio 5 u32 match u32 0 0 classid 1:1");

    assertThat(filters.list(link)).extracting(TrafficControl::type).containsExactly("u32");
    assertThat(filters.list(link, TrafficControl.EGRESS)).isEmpty();
    filters.delete(filters.list(link).get(0));
    assertThat(filters.list(link)).isEmpty();
  }
}
