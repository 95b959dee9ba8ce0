package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.dranet.attach.LoadedProgram.Place;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.dranet.discovery.NetworkFacts;
import io.dra4j.linux.FileDescriptor;
import io.dra4j.netlink.bpf.LinkProgram;
import io.dra4j.netlink.bpf.LinkPrograms;
import io.dra4j.netlink.route.RouteNetlink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** BPF programs that an agent of the host attached, and a claim that wants none. */
@EnabledIf("io.dra4j.dranet.attach.LoadedProgram#canAttach")
class ProgramsTest {

  private static final String NONE = "{\"interface\": {\"disableEbpfPrograms\": true}}";

  private final MemoryJournal journal = new MemoryJournal();
  private final List<String> notices = new ArrayList<>();
  private TestHost host;
  private TestHost pod;
  private Attacher attacher;
  private int index;

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    pod = new TestHost();
    host.ip("link add nic0 type veth peer name other0", "link set nic0 up", "link set other0 up");
    try (RouteNetlink route = RouteNetlink.open(host.namespace())) {
      index = route.links().get("nic0").index();
    }
    attacher = Attacher.in(host.namespace(), notices::add);
  }

  @AfterEach
  void close() {
    pod.close();
    host.close();
  }

  private void attach(String json) throws Exception {
    attacher.attach(
        List.of(AttachRequest.ofLink("nic0", NetworkConfig.parse(json))), pod.namespace(), journal);
  }

  private void detach() throws Exception {
    journal.undo(step -> attacher.undo(step, pod.namespace()));
    assertThat(journal.steps()).isEmpty();
  }

  private static List<String> names(TestHost of) throws IOException {
    try (RouteNetlink route = RouteNetlink.open(of.namespace())) {
      int number = route.links().get("nic0").index();
      return LinkPrograms.in(of.namespace()).list(number).stream().map(LinkProgram::name).toList();
    }
  }

  @Test
  void programsOfTcxArePublishedByName() throws Exception {
    try (LoadedProgram first = new LoadedProgram(host.namespace(), Place.TCX_INGRESS, "from_net");
        LoadedProgram second = new LoadedProgram(host.namespace(), Place.TCX_EGRESS, "to_net")) {
      first.attach(index);
      second.attach(index);

      assertThat(NetworkFacts.read(host.namespace(), notices::add).links())
          .filteredOn(one -> one.link().name().equals("nic0"))
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.ebpf()).isTrue();
                assertThat(one.programs()).containsExactly("from_net", "to_net");
                assertThat(one.filters()).isEmpty();
              });
      assertThat(notices).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"TCX_INGRESS", "TCX_EGRESS", "XDP_GENERIC", "XDP_NATIVE"})
  void aProgramThatABpfLinkHoldsIsDetachedInThePodAndToldOnReturn(Place place) throws Exception {
    List<String> before = host.seen("nic0");
    try (LoadedProgram program = new LoadedProgram(host.namespace(), place, "agent");
        FileDescriptor held = program.link(index)) {
      assertThat(names(host)).containsExactly("agent");

      attach(NONE);

      assertThat(names(pod)).isEmpty();
      detach();
      assertThat(names(host)).isEmpty();
      assertThat(host.seen("nic0")).isEqualTo(before);
      assertThat(notices).singleElement().asString().startsWith("nic0 on the host: ");
      assertThat(notices.get(0)).containsAnyOf("(agent) at " + place + " was det", "xdp program");
      assertThat(held.isOpen()).isTrue();
    }
  }

  @Test
  void allThatAreAttachedDirectlyAreDetachedAndEachIsTold() throws Exception {
    host.run("tc qdisc add dev nic0 clsact");
    String pass = "1,6 0 0 4294967295"; // classic BPF: take the whole packet
    host.runWords("tc", "filter", "add", "dev", "nic0", "egress", "bpf", "da", "bytecode", pass);
    try (LoadedProgram first = new LoadedProgram(host.namespace(), Place.TCX_INGRESS, "one");
        LoadedProgram second = new LoadedProgram(host.namespace(), Place.TCX_INGRESS, "two")) {
      first.attach(index);
      second.attach(index);

      attach(NONE);

      assertThat(names(pod)).isEmpty();
      assertThat(pod.run("tc filter show dev nic0 egress")).doesNotContain("bpf");
      detach();
      assertThat(notices)
          .anySatisfy(one -> assertThat(one).contains("(one) at TCX_INGRESS was detached"))
          .anySatisfy(one -> assertThat(one).contains("(two) at TCX_INGRESS was detached"))
          .anySatisfy(one -> assertThat(one).contains("filter"));
    }
  }

  @Test
  void withoutTheFieldProgramsGoWithTheLinkAndComeBack() throws Exception {
    try (LoadedProgram program = new LoadedProgram(host.namespace(), Place.TCX_EGRESS, "agent")) {
      program.attach(index);

      attach("{}");

      assertThat(names(pod)).containsExactly("agent");
      detach();
      assertThat(names(host)).containsExactly("agent");
      assertThat(notices).isEmpty();
    }
  }

  @Test
  void whatNeverBeganDetachesNothingAndTellsNothing() throws Exception {
    try (LoadedProgram program = new LoadedProgram(host.namespace(), Place.TCX_EGRESS, "agent")) {
      program.attach(index);
      try {
        attacher.attach(
            List.of(AttachRequest.ofLink("nic0", NetworkConfig.parse(NONE))),
            pod.namespace(),
            new EndingJournal(journal, 0));
      } catch (EndingJournal.Killed e) {
        assertThat(journal.begun()).isEmpty();
      }

      detach();

      assertThat(names(host)).containsExactly("agent");
      assertThat(notices).isEmpty();
    }
  }
}
