package io.dra4j.dranet.attach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two steps of a return: first to the host, later the original settings. */
@EnabledIf("io.dra4j.dranet.attach.TestHost#canMakeNamespaces")
class HomeTest {

  private TestHost host;
  private TestHost pod;
  private Attacher attacher;
  private final List<String> notices = new ArrayList<>();
  private final MemoryJournal journal = new MemoryJournal();

  @BeforeEach
  void open() throws IOException {
    host = new TestHost();
    pod = new TestHost();
    host.ip(
        "link set lo up",
        "link add nic0 type veth peer name other0",
        "link set other0 up",
        "link set nic0 mtu 1400 up",
        "addr add 192.0.2.5/24 dev nic0",
        "route add 198.18.0.0/15 via 192.0.2.1");
    attacher = Attacher.in(host.namespace(), notices::add);
  }

  @AfterEach
  void close() {
    pod.close();
    host.close();
  }

  private void attach(String link, String json, MemoryJournal into) throws DriverException {
    attacher.attach(
        List.of(AttachRequest.ofLink(link, NetworkConfig.parse(json.replace('\'', '"')))),
        pod.namespace(),
        into);
  }

  /** All but the steps that can wait. */
  private void bringHome(Journal of) throws DriverException {
    while (!Attacher.restores(of.steps().get(of.steps().size() - 1))) {
      attacher.undo(of.steps().get(of.steps().size() - 1), pod.namespace());
      of.keep(of.steps().size() - 1);
    }
  }

  private void restore(Journal of) throws DriverException {
    of.undo(step -> attacher.undo(step, pod.namespace()));
  }

  private static Step ofOtherBoot(Step step) {
    return new Step(step.name(), step.undo().replaceFirst("\"boot\":\"[^\"]+", "\"boot\":\"0-1"));
  }

  @Test
  void aLinkIsHomeBeforeItIsWhatItWas() throws Exception {
    List<String> before = host.seen("nic0");
    attach("nic0", "{'interface': {'name': 'net1', 'mtu': 1300}}", journal);

    bringHome(journal);

    assertThat(host.run("ip -br link")).contains("nic0");
    assertThat(host.run("ip -br addr show dev nic0")).doesNotContain("192.0.2.5");
    assertThat(journal.steps()).extracting(Step::name).containsExactly("keep the state of nic0");
    restore(journal);
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(notices).isEmpty();
  }

  @Test
  void allLinksAreHomeBeforeTheFirstIsRestored() throws Exception {
    host.ip("link add nic1 type veth peer name other1", "addr add 192.0.2.66/28 dev nic1");
    List<String> before = host.seen("nic1");
    attacher.attach(
        List.of(
            AttachRequest.ofLink("nic0", NetworkConfig.EMPTY),
            AttachRequest.ofLink("nic1", NetworkConfig.EMPTY)),
        pod.namespace(),
        journal);

    bringHome(journal);

    assertThat(host.run("ip -br link")).contains("nic0", "nic1");
    assertThat(journal.steps()).hasSize(2);
    restore(journal);
    assertThat(host.seen("nic1")).isEqualTo(before);
  }

  /** The next sandbox of a pod comes before the last one is cleaned up. */
  @Test
  void aLinkThatIsAttachedBeforeItIsRestoredIsTakenForWhatItWas() throws Exception {
    List<String> before = host.seen("nic0");
    attach("nic0", "{}", journal);
    bringHome(journal);
    attacher.defer(journal.steps().get(0));
    MemoryJournal second = new MemoryJournal();

    attach("nic0", "{'interface': {'name': 'net2'}}", second);
    restore(journal); // does nothing to a link that is in the next pod

    assertThat(pod.run("ip -br addr show dev net2")).contains("192.0.2.5/24");
    assertThat(pod.run("ip route")).contains("198.18.0.0/15 via 192.0.2.1 dev net2");
    restore(second);
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(notices).isEmpty();
  }

  /** Otherwise the next claim would always get the leftover settings of this one. */
  @Test
  void aLinkThatIsRestoredIsCapturedAsItIs() throws Exception {
    attach("nic0", "{}", journal);
    bringHome(journal);
    attacher.defer(journal.steps().get(0));
    restore(journal);
    host.ip("addr add 192.0.2.77/24 dev nic0");
    List<String> before = host.seen("nic0");
    MemoryJournal second = new MemoryJournal();

    attach("nic0", "{}", second);
    restore(second);

    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  /** The kernel takes a next-hop object only while there is a carrier. */
  @Test
  void aRestorationThatWaitsForACarrierLeavesTheLinkToTheNextPod() throws Exception {
    host.ip("nexthop add id 7 via 192.0.2.1 dev nic0", "route add 10.9.0.0/16 nhid 7");
    List<String> before = host.seen("nic0");
    attach("nic0", "{}", journal);
    host.ip("link set other0 down");
    bringHome(journal);
    attacher.defer(journal.steps().get(0));
    CompletableFuture<Void> restoring =
        CompletableFuture.runAsync(
            () -> {
              try {
                restore(journal);
              } catch (DriverException e) {
                throw new CompletionException(e);
              }
            });
    while (!host.run("ip -br addr show dev nic0").contains("192.0.2.5")) {
      Thread.sleep(10); // all but what waits for the carrier
    }
    MemoryJournal second = new MemoryJournal();

    attach("nic0", "{'interface': {'name': 'net2'}}", second);

    assertThat(pod.run("ip -br addr show dev net2")).contains("192.0.2.5/24");
    restoring.join();
    assertThat(pod.run("ip -br addr show dev net2")).contains("192.0.2.5/24");
    host.ip("link set other0 up");
    restore(second);
    assertThat(host.run("ip nexthop")).contains("id 7 via 192.0.2.1 dev nic0");
    assertThat(host.seen("nic0")).containsAll(before.subList(0, 2));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onAnotherBootNothingButTheNameIsBroughtHome(boolean recorded) throws Exception {
    attach("nic0", "{'interface': {'name': 'net1', 'addresses': ['192.0.2.8/24']}}", journal);
    List<Step> steps = journal.steps();
    restore(journal);
    host.ip("link set nic0 mtu 9000", "addr flush dev nic0", "addr add 203.0.113.1/24 dev nic0");
    List<String> today = host.seen("nic0");

    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = recorded ? ofOtherBoot(steps.get(i)) : steps.get(i);
      attacher.undo(step, null, !recorded);
    }

    assertThat(host.seen("nic0")).isEqualTo(today);
  }

  @Test
  void onAnotherBootALinkUnderTheNameOfThePodIsRenamedAndStaysUp() throws Exception {
    attach("nic0", "{'interface': {'name': 'net1'}}", journal);
    List<Step> steps = journal.steps();
    restore(journal);
    host.ip("link set nic0 down", "link set nic0 name net1", "link set net1 mtu 9000 up");
    host.ip("addr add 203.0.113.1/24 dev net1");

    for (int i = steps.size() - 1; i >= 0; i--) {
      attacher.undo(ofOtherBoot(steps.get(i)), null);
    }

    String seen = host.run("ip addr show");
    assertThat(seen).contains("203.0.113.1/24", "mtu 9000");
    assertThat(host.json("ip -j link show dev nic0").get(0).get("flags").toString())
        .contains("\"UP\"");
  }

  /** The format of earlier releases. */
  @Test
  void aRecordOfOneStepDoesBoth() throws Exception {
    List<String> before = host.seen("nic0");
    attach("nic0", "{'interface': {'name': 'net1', 'mtu': 1300}}", journal);
    Step keep = journal.steps().get(0);
    Step whole =
        new Step(
            "move nic0", keep.undo().replace("\"undo\":\"restore\"", "\"undo\":\"return link\""));

    attacher.undo(whole, pod.namespace());

    assertThat(host.seen("nic0")).isEqualTo(before);
  }

  /** A pod may change its network, and has hidden its device. */
  @Test
  void aLinkInANamespaceBelowThePodIsReportedUntilItAppears() throws Exception {
    List<String> before = host.seen("nic0");
    attach("nic0", "{}", journal);
    try (TestHost below = new TestHost()) {
      hide("nic0", below);

      assertThatExceptionOfType(DriverException.class)
          .isThrownBy(() -> restore(journal))
          .withMessageStartingWith("nic0 has not returned to the host: ")
          .satisfies(e -> assertThat(e.kind()).isEqualTo(DriverException.Kind.UNAVAILABLE));
      assertThat(journal.steps())
          .extracting(Step::name)
          .contains("keep the state of nic0", "move nic0 into the pod: down, name nic0");
      assertThat(notices).isEmpty();

      below.ip("link set nic0 netns " + process(pod));
      restore(journal);
    }
    assertThat(host.seen("nic0")).isEqualTo(before);
    assertThat(journal.steps()).isEmpty();
  }

  /** Of one that has no other end the process is named that has it. */
  @Test
  void aLinkOfAnotherProcessIsReportedWithTheProcess() throws Exception {
    host.ip("link add mac0 link other0 type macvlan mode bridge");
    attach("mac0", "{}", journal);
    Process below =
        new ProcessBuilder("nsenter", "--net=" + path(pod), "unshare", "-n", "sleep", "120")
            .start();
    try {
      while (!below.info().command().orElse("").endsWith("sleep")) {
        Thread.sleep(20);
      }
      pod.ip("link set mac0 netns " + below.pid());

      assertThatExceptionOfType(DriverException.class)
          .isThrownBy(() -> restore(journal))
          .withMessageContaining("process " + below.pid() + " (sleep)");
    } finally {
      below.destroyForcibly().waitFor();
    }
  }

  @Test
  void aLinkThatThePodDeletedIsGone() throws Exception {
    host.ip("link add mac0 link other0 type macvlan mode bridge");
    attach("mac0", "{}", journal);
    pod.ip("link delete mac0");

    restore(journal);

    assertThat(notices).singleElement().asString().startsWith("mac0 no longer exists");
    assertThat(journal.steps()).isEmpty();
  }

  /** The index of a base is a number that a pod can give to a link of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"nic0", "mac0"})
  void aLinkThatThePodPlantsIsNotTakenForTheOneThatItHas(String link) throws Exception {
    addIfStacked(link);
    attach(link, "{}", journal);
    String address = addressInPod(link);
    pod.ip("link set " + link + " down");
    pod.ip("link set " + link + " name kept address 02:00:00:00:0a:02");
    try (TestHost below = new TestHost()) {
      plant(below, link, address);

      restore(journal);

      assertThat(pod.json("ip -j link show").findValuesAsText("ifname"))
          .contains(link)
          .doesNotContain("kept");
    }
    assertThat(host.json("ip -j link show dev " + link).findValuesAsText("link"))
        .containsExactly("other0");
    assertThat(notices).isEmpty();
  }

  /** The kernel deletes a link with the one that it is on, or paired with. */
  @ParameterizedTest
  @ValueSource(strings = {"nic0", "mac0"})
  void aLinkWhoseBaseWasDeletedIsGoneWhateverThePodPlants(String link) throws Exception {
    addIfStacked(link);
    attach(link, "{}", journal);
    String address = addressInPod(link);
    try (TestHost below = new TestHost()) {
      int base = indexOfBase();
      host.ip("link delete other0");
      plant(below, link, address, base);

      restore(journal);
    }

    assertThat(notices).singleElement().asString().startsWith(link + " no longer exists");
    assertThat(host.json("ip -j link show").findValuesAsText("ifname")).doesNotContain(link);
    assertThat(journal.steps()).isEmpty();
  }

  /** A link that another one is on is not moved. */
  private void addIfStacked(String link) throws IOException {
    if (link.equals("mac0")) {
      host.ip("link add link other0 name mac0 type macvlan mode bridge");
    }
  }

  private String addressInPod(String link) throws IOException {
    return pod.json("ip -j link show dev " + link).findValuesAsText("address").get(0);
  }

  private int indexOfBase() throws IOException {
    return host.json("ip -j link show dev other0").get(0).get("ifindex").asInt();
  }

  private void plant(TestHost below, String link, String address) throws IOException {
    plant(below, link, address, indexOfBase());
  }

  /** Makes a link in the pod, on a link of a namespace below that has the index of the base. */
  private void plant(TestHost below, String link, String address, int base) throws IOException {
    if (link.equals("mac0")) {
      below.ip(
          "link add base index " + base + " type veth peer name far index 900",
          "link add link base name mac0 address " + address + " type macvlan mode bridge");
    } else {
      below.ip(
          "link add %s index 900 address %s type veth peer name base index %d"
              .formatted(link, address, base));
    }
    below.ip("link set " + link + " netns " + process(pod));
  }

  private void hide(String link, TestHost below) throws IOException {
    pod.ip("link set " + link + " netns " + process(below));
  }

  private static String path(TestHost of) {
    return "/proc/%d/fd/%d"
        .formatted(ProcessHandle.current().pid(), of.namespace().descriptor().number());
  }

  /** Returns the argument of {@code ip} for a namespace without a name. */
  private static String process(TestHost of) {
    return path(of);
  }
}
