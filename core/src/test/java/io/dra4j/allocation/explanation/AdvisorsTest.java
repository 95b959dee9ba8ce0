package io.dra4j.allocation.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.internal.explain.ConstraintAdvisor;
import io.dra4j.allocation.internal.explain.NearNameAdvisor;
import io.dra4j.allocation.internal.explain.PairAdvisor;
import io.dra4j.allocation.internal.explain.ReleaseAdvisor;
import io.dra4j.allocation.internal.explain.TolerationAdvisor;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.DeviceTaint;
import io.dra4j.model.DeviceToleration;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.TaintEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What each advisor proposes by itself, before anything is tried. */
class AdvisorsTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";
  private static final String NUMA = "resource.kubernetes.io/numaNode";

  private static List<String> texts(List<Suggestion> suggestions) {
    return suggestions.stream().map(Suggestion::text).toList();
  }

  private static ExactDeviceRequest request(Suggestion change, int claim, int request) {
    return Objects.requireNonNull(
        change.claims().get(claim).spec().requests().get(request).exactly());
  }

  private static List<String> expressions(List<DeviceSelector> selectors) {
    return selectors.stream().map(DeviceSelector::expression).map(Objects::toString).toList();
  }

  // ---- names ----

  private static Cluster ofOneModel() {
    return Cluster.withDevices(
        Device.named("d")
            .attribute("model", "x")
            .attribute("vendor.example.com/generation", 2)
            .capacity("memory", "8Gi")
            .build());
  }

  @Test
  void aClassThatIsNotThereIsWrittenAsOneThatIs() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("good", r -> r.deviceClass("nic"))
            .request("r", r -> r.deviceClass("gpu1"))
            .request(
                DeviceRequest.firstAvailable(
                    "s",
                    List.of(new DeviceSubRequest("t", ExactDeviceRequest.ofClass("nicc").build()))))
            .build();

    List<Suggestion> changes =
        new NearNameAdvisor().propose(ofOneModel().problem(List.of(), claim));

    assertThat(texts(changes))
        .containsExactly(
            "ask for class gpu instead of gpu1 in request r",
            "ask for class nic instead of nicc in request s/t");
    assertThat(request(changes.get(0), 0, 0).deviceClassName()).isEqualTo("nic");
    assertThat(request(changes.get(0), 0, 1).deviceClassName()).isEqualTo("gpu");
    assertThat(
            changes
                .get(1)
                .claims()
                .get(0)
                .spec()
                .requests()
                .get(2)
                .firstAvailable()
                .get(0)
                .request()
                .deviceClassName())
        .isEqualTo("nic");
  }

  @Test
  void literalsAreDomainsAndMembersAreNames() {
    String driver = "device.driver == \"gpuu\" || device.driver == 'gpuu'";
    String members =
        "device.attributes[\"vendor.example.com\"].generatio >= 2 && \"generatio\" != ''"
            + " && device.attributes[\"gpu\"].generatio < 9 && device.capacity[\"gpu\"].memry > q";
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").selector(driver).selector(members))
            .build();

    List<Suggestion> changes =
        new NearNameAdvisor().propose(ofOneModel().problem(List.of(), claim));

    assertThat(texts(changes))
        .containsExactly(
            "write \"gpu\" instead of \"gpuu\" in request r",
            "write 'gpu' instead of 'gpuu' in request r",
            "write generation instead of generatio in request r",
            "write memory instead of memry in request r");
    assertThat(expressions(request(changes.get(0), 0, 0).selectors()))
        .containsExactly("device.driver == \"gpu\" || device.driver == 'gpuu'", members);
    assertThat(expressions(request(changes.get(2), 0, 0).selectors()))
        .containsExactly(
            driver,
            "device.attributes[\"vendor.example.com\"].generation >= 2 && \"generatio\" != ''"
                + " && device.attributes[\"gpu\"].generation < 9"
                + " && device.capacity[\"gpu\"].memry > q");
  }

  @Test
  void selectorsOfClassesAreChangedInTheInventory() {
    Cluster cluster = ofOneModel().add(DeviceClass.named("mine", "device.driver == 'gpuu'"));
    ResourceClaim claim =
        ResourceClaim.named("c").request("r", r -> r.deviceClass("mine").selector("any")).build();

    List<Suggestion> changes = new NearNameAdvisor().propose(cluster.problem(List.of(), claim));

    assertThat(texts(changes)).containsExactly("write 'gpu' instead of 'gpuu' in class mine");
    DeviceClass changed = changes.get(0).inventory().deviceClass("mine").orElseThrow();
    assertThat(expressions(changed.selectors())).containsExactly("device.driver == 'gpu'");
    assertThat(changes.get(0).claims()).containsExactly(claim);
  }

  @Test
  void ofManyWrongNamesTheFirstSixteenAreChanged() {
    String expression =
        IntStream.range(0, 30)
            .mapToObj(i -> "device.driver != 'gpu" + (char) ('a' + i % 26) + i / 26 + "'")
            .collect(Collectors.joining(" && "));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").selector(expression))
            .build();
    assertThat(new NearNameAdvisor().propose(ofOneModel().problem(List.of(), claim))).hasSize(16);
  }

  @Test
  void aDriverMayHaveBeenMeant() {
    List<DeviceSelector> selectors = List.of(DeviceSelector.cel("device.driver == 'gpuu'"));
    assertThat(NearNameAdvisor.driverMeant(selectors, Set.of("gpu", "nic")))
        .isEqualTo("did you mean 'gpu' instead of 'gpuu'?");
    assertThat(NearNameAdvisor.driverMeant(selectors, Set.of("nic"))).isEmpty();
    assertThat(NearNameAdvisor.driverMeant(selectors, Set.of("gpu", "gpuu"))).isEmpty();
  }

  // ---- constraints ----

  private static ResourceClaim constrained(String name, DeviceConstraint... constraints) {
    ResourceClaim.Builder claim =
        ResourceClaim.named(name)
            .request("a", r -> r.deviceClass("any"))
            .request("b", r -> r.deviceClass("any"));
    for (DeviceConstraint constraint : constraints) {
      claim.constraint(constraint);
    }
    return claim.build();
  }

  private static Reason missing(ResourceClaim claim, int index, String... near) {
    DeviceConstraint constraint = claim.spec().constraints().get(index);
    return new Reason.MissingAttribute(
        new Requirement.Constraint(ClaimKey.of(claim), index, constraint),
        new Requirement.Request(ClaimKey.of(claim), "a"),
        constraint.attribute().orElseThrow(),
        List.of(near));
  }

  private static Cluster ofPlaces() {
    return Cluster.withDevices(
        Device.named("d").attribute("numaNode", 1).attribute("x/pcieRoot", "r").build());
  }

  @Test
  void aConstraintComparesAnotherAttributeTheNearestFirst() {
    ResourceClaim claim =
        constrained(
            "c",
            DeviceConstraint.matchAttribute(ROOT, "a", "b"),
            DeviceConstraint.distinctAttribute("gpu/id"),
            DeviceConstraint.matchAttribute(ROOT));
    ResourceClaim other = constrained("d", DeviceConstraint.matchAttribute(ROOT));

    List<Suggestion> changes =
        new ConstraintAdvisor()
            .propose(
                ofPlaces().problem(List.of(missing(claim, 0, ROOT, "gpu/root")), claim, other));

    assertThat(texts(changes))
        .containsExactly(
            "compare gpu/root instead of " + ROOT,
            "compare x/pcieRoot instead of " + ROOT,
            "compare " + NUMA + " instead of " + ROOT,
            "compare gpu/numaNode instead of " + ROOT,
            "leave out the constraint on " + ROOT);
    assertThat(changes.get(0).claims().get(0).spec().constraints())
        .containsExactly(
            DeviceConstraint.matchAttribute("gpu/root", "a", "b"),
            DeviceConstraint.distinctAttribute("gpu/id"),
            DeviceConstraint.matchAttribute("gpu/root"));
    assertThat(changes.get(0).claims().get(1).spec().constraints())
        .containsExactly(DeviceConstraint.matchAttribute("gpu/root"));
    assertThat(changes.get(4).claims().get(0).spec().constraints())
        .containsExactly(DeviceConstraint.distinctAttribute("gpu/id"));
    assertThat(changes.get(4).claims().get(1).spec().constraints()).isEmpty();
  }

  @Test
  void withoutAConstraintDevicesThatHaveTheAttributeAreNotNearEachOther() {
    ResourceClaim claim = constrained("c", DeviceConstraint.matchAttribute(NUMA));
    Requirement.Constraint part =
        new Requirement.Constraint(ClaimKey.of(claim), 0, claim.spec().constraints().get(0));
    Reason refusal =
        new Reason.TooFewDevices(List.of(part), "any", 2, false, 1, 1, 1, List.of(), "");

    assertThat(
            texts(
                new ConstraintAdvisor()
                    .propose(Cluster.withDevices(1).problem(List.of(refusal), claim))))
        .containsExactly(
            "compare " + ROOT + " instead of " + NUMA,
            "leave out the constraint on " + NUMA + ": the devices are then not near each other");
    assertThat(new ConstraintAdvisor().propose(Cluster.withDevices(1).problem(List.of(), claim)))
        .isEmpty();
  }

  @Test
  void aDistinctAttributeThatNoDeviceHasIsWrittenAsOneOfTheirs() {
    DeviceConstraint wrong = DeviceConstraint.distinctAttribute("gpu/uid", "a");
    ResourceClaim claim = constrained("c", wrong, DeviceConstraint.distinctAttribute("gpu/id"));
    ResourceClaim other = constrained("d", DeviceConstraint.matchAttribute("gpu/uid"));

    List<Suggestion> changes =
        new ConstraintAdvisor()
            .propose(
                ofPlaces().problem(List.of(missing(claim, 0, "gpu/uuid", "gpu/id")), claim, other));

    assertThat(texts(changes))
        .containsExactly(
            "compare gpu/uuid instead of gpu/uid", "compare gpu/id instead of gpu/uid");
    assertThat(changes.get(0).claims().get(0).spec().constraints())
        .containsExactly(
            DeviceConstraint.distinctAttribute("gpu/uuid", "a"),
            DeviceConstraint.distinctAttribute("gpu/id"));
    assertThat(changes.get(0).claims().get(1)).isEqualTo(other);
  }

  @Test
  void setsOfRequestsAreProposedWhereAClaimMayHaveSoMany() {
    for (int more = 0; more < 2; more++) {
      for (int sets : new int[] {1, 2, 16, 17}) {
        ResourceClaim.Builder claim =
            ResourceClaim.named("c")
                .request("a", r -> r.deviceClass("any").count(sets))
                .request("b", r -> r.deviceClass("any").count(sets))
                .constraint(DeviceConstraint.matchAttribute(ROOT, "a", "b"));
        if (more == 1) {
          claim.request("alone", r -> r.deviceClass("any"));
        }
        ResourceClaim built = claim.build();
        List<Suggestion> changes =
            new PairAdvisor().propose(ofPlaces().problem(List.of(missing(built, 0)), built));
        boolean proposed = sets == 2 || (sets == 16 && more == 0);
        assertThat(changes).as("%d sets and %d more", sets, more).hasSize(proposed ? 1 : 0);
        for (Suggestion change : changes) {
          assertThat(change.claims().get(0).spec().requests()).hasSize(2 * sets + more);
          assertThat(change.text()).contains("write " + sets + " sets").contains(2 * sets + " dev");
        }
      }
    }
  }

  // ---- taints ----

  private static ExcludedDevice tainted(String device, ResourceClaim claim, String request) {
    return new ExcludedDevice(
        new DeviceId("gpu", "n", device),
        new Requirement.Request(ClaimKey.of(claim), request),
        ExclusionCause.TAINTS,
        "is tainted",
        List.of());
  }

  private static Reason refused(ResourceClaim claim, List<ExcludedDevice> devices) {
    return new Reason.TooFewDevices(
        List.of(new Requirement.Request(ClaimKey.of(claim), "r")),
        "any",
        2,
        false,
        0,
        2,
        2,
        devices,
        "");
  }

  @Test
  void oneTaintAtATimeIsToleratedAndThenAllOfThem() {
    DeviceTaint gone = DeviceTaint.of("gone", "", TaintEffect.NO_EXECUTE);
    DeviceTaint busy = DeviceTaint.of("busy", "yes", TaintEffect.NO_SCHEDULE);
    DeviceTaint told = DeviceTaint.of("told", "yes", TaintEffect.NONE);
    DeviceTaint known = DeviceTaint.of("known", "", TaintEffect.NO_SCHEDULE);
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d0").taint(gone).taint(told).build(),
            Device.named("d1").taint(busy).taint(known).build(),
            Device.named("d2").build());
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", r -> r.deviceClass("any").toleration(DeviceToleration.exists("known")))
            .request("s", r -> r.deviceClass("any").toleration(DeviceToleration.exists("known")))
            .build();
    List<ExcludedDevice> devices = new ArrayList<>();
    devices.add(tainted("d0", claim, "r"));
    devices.add(tainted("d0", claim, "s"));
    devices.add(tainted("d1", claim, "s"));
    devices.add(tainted("d2", claim, "s"));

    List<Suggestion> changes =
        new TolerationAdvisor().propose(cluster.problem(List.of(refused(claim, devices)), claim));

    assertThat(texts(changes))
        .containsExactly(
            "tolerate gone:NoExecute in requests r and s",
            "tolerate busy=yes:NoSchedule in request s",
            "tolerate gone:NoExecute and busy=yes:NoSchedule in requests r and s");
    DeviceToleration ofGone =
        DeviceToleration.equal("gone", "").toBuilder().effect(TaintEffect.NO_EXECUTE).build();
    DeviceToleration ofBusy =
        DeviceToleration.equal("busy", "yes").toBuilder().effect(TaintEffect.NO_SCHEDULE).build();
    DeviceToleration asBefore = DeviceToleration.exists("known");
    assertThat(request(changes.get(0), 0, 1).tolerations()).containsExactly(asBefore, ofGone);
    assertThat(request(changes.get(1), 0, 0).tolerations()).containsExactly(asBefore);
    assertThat(request(changes.get(2), 0, 0).tolerations()).containsExactly(asBefore, ofGone);
    assertThat(request(changes.get(2), 0, 1).tolerations())
        .containsExactly(asBefore, ofGone, ofBusy);
  }

  @Test
  void ofOneTaintItIsSaidOnce() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d0").taint(DeviceTaint.of("k", "", TaintEffect.NO_SCHEDULE)).build());
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build();
    List<ExcludedDevice> devices = List.of(tainted("d0", claim, "r"));
    assertThat(
            texts(
                new TolerationAdvisor()
                    .propose(cluster.problem(List.of(refused(claim, devices)), claim))))
        .containsExactly("tolerate k:NoSchedule in request r");
  }

  @Test
  void whatOtherRulesRefuseNeedsNoToleration() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("d0").taint(DeviceTaint.of("k", "", TaintEffect.NO_SCHEDULE)).build());
    ResourceClaim claim = ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build();
    ExcludedDevice inUse =
        new ExcludedDevice(
            new DeviceId("gpu", "n", "d0"),
            new Requirement.Request(ClaimKey.of(claim), "r"),
            ExclusionCause.USAGE,
            "is in use",
            List.of());
    assertThat(
            new TolerationAdvisor()
                .propose(cluster.problem(List.of(refused(claim, List.of(inUse))), claim)))
        .isEmpty();
  }

  // ---- holders ----

  @Test
  void holdersAreReleasedOneByOneAndThenThoseThatAreNeeded() {
    for (int holders : new int[] {0, 1, 2, 32, 33}) {
      Device[] made = new Device[Math.max(1, holders)];
      List<ExcludedDevice> devices = new ArrayList<>();
      ResourceClaim[] holding = new ResourceClaim[holders];
      ResourceClaim claim =
          ResourceClaim.named("c").request("r", r -> r.deviceClass("any")).build();
      for (int i = 0; i < made.length; i++) {
        made[i] = Device.named("d" + i).build();
      }
      for (int i = 0; i < holders; i++) {
        String name = "h%02d".formatted(i);
        holding[i] = Cluster.holding(name, "d" + i);
        devices.add(
            new ExcludedDevice(
                new DeviceId("gpu", "n", "d" + i),
                new Requirement.Request(ClaimKey.of(claim), "r"),
                ExclusionCause.USAGE,
                "is in use",
                List.of(new ClaimKey("default", name))));
      }
      Cluster cluster = Cluster.withDevices(made).add(holding);
      List<String> texts =
          texts(
              new ReleaseAdvisor()
                  .propose(cluster.problem(List.of(refused(claim, devices)), claim)));
      int single = Math.min(holders, 32);
      boolean together = holders > 1 && holders <= 32;
      assertThat(texts).as("%d", holders).hasSize(single + (together ? 1 : 0));
    }
  }
}
