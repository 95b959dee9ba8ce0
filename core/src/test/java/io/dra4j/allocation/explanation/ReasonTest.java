package io.dra4j.allocation.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.inventory.PoolId;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceId;
import io.dra4j.model.NodeSelector;
import io.dra4j.model.NodeSelectorOperator;
import io.dra4j.model.NodeSelectorRequirement;
import io.dra4j.model.NodeSelectorTerm;
import io.dra4j.model.StandardAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each kind of reason says of itself, in full and in short. */
class ReasonTest {

  private static final ClaimKey CLAIM = new ClaimKey("default", "c");
  private static final Requirement.Request R = new Requirement.Request(CLAIM, "r");
  private static final Requirement.Request S = new Requirement.Request(CLAIM, "s");
  private static final Requirement.Constraint SAME =
      new Requirement.Constraint(CLAIM, 0, DeviceConstraint.matchAttribute("gpu/root", "r", "s"));
  private static final Requirement.Constraint SAME_ROOT =
      new Requirement.Constraint(
          CLAIM, 0, DeviceConstraint.matchAttribute(StandardAttributes.PCIE_ROOT, "r", "s"));

  private static List<ExcludedDevice> refusedBy(ExclusionCause... rules) {
    List<ExcludedDevice> refused = new ArrayList<>();
    for (ExclusionCause rule : rules) {
      refused.add(
          new ExcludedDevice(
              new DeviceId("gpu", "n", "d" + refused.size()), R, rule, "is refused", List.of()));
    }
    return refused;
  }

  private static Reason.TooFewDevices tooFew(
      long wanted, boolean all, int available, int ofClass, int onNode, ExclusionCause... rules) {
    return new Reason.TooFewDevices(
        List.of(R),
        "gpu",
        wanted,
        all,
        available,
        ofClass,
        onNode,
        refusedBy(rules),
        rules.length == 0 ? "" : "some are refused");
  }

  @Test
  void requirementsNameTheirClaim() {
    assertThat(R).hasToString("claim default/c, request r");
    assertThat(new Requirement.Selector(CLAIM, "r", 1, " a == b\n"))
        .hasToString("claim default/c, selector #1 of request r (a == b)");
    assertThat(SAME).hasToString("claim default/c, matchAttribute gpu/root of r and s");
  }

  @Test
  void tooFewDevicesInFull() {
    String needs = "claim default/c, request r: needs ";
    assertThat(tooFew(1, false, 0, 0, 0).text())
        .isEqualTo(needs + "1 device of class gpu, but the node has no devices");
    assertThat(tooFew(2, false, 0, 0, 1).text())
        .isEqualTo(
            needs + "2 devices of class gpu, but the node's only device is not of that class");
    assertThat(tooFew(2, false, 0, 0, 3, ExclusionCause.CLASS).text())
        .isEqualTo(
            needs
                + "2 devices of class gpu, but none of the node's 3 devices is of that class: some"
                + " are refused");
    assertThat(tooFew(0, true, 0, 0, 0, ExclusionCause.CLASS).text())
        .isEqualTo(
            needs + "all devices of class gpu, but the node has no devices: some are refused");
    assertThat(tooFew(1, true, 0, 1, 1, ExclusionCause.USAGE).text())
        .isEqualTo(needs + "all devices of class gpu, but the node's only one is refused");
    assertThat(tooFew(2, true, 1, 2, 2, ExclusionCause.USAGE).text())
        .isEqualTo(
            needs
                + "all 2 devices of class gpu, but of the node's 2 only 1 can be allocated: some"
                + " are"
                + " refused");
    assertThat(tooFew(2, false, 0, 2, 2, ExclusionCause.USAGE, ExclusionCause.TAINTS).text())
        .isEqualTo(
            needs
                + "2 devices of class gpu, but of the node's 2 none can be allocated: some are"
                + " refused");
    assertThat(tooFew(3, false, 2, 2, 2).text())
        .isEqualTo(needs + "3 devices of class gpu, but the node has only 2");
    assertThat(
            new Reason.TooFewDevices(List.of(R, S, S), "gpu", 3, false, 2, 2, 2, List.of(), "")
                .text())
        .isEqualTo(
            "claim default/c, request r and 2 more like it: together need 3 devices of class gpu,"
                + " but the node has only 2");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "USAGE, no free device of class gpu",
    "TAINTS, no untainted device of class gpu",
    "SELECTOR, no device of class gpu that the request's selectors match",
    "FAULT, no device of class gpu on which the request's selectors can be evaluated",
    "COUNTERS, no device of class gpu with shared counters left",
    "CAPACITY, no device of class gpu with the requested capacity",
    "NODE, no usable device of class gpu",
  })
  void tooFewDevicesInShort(ExclusionCause rule, String summary) {
    assertThat(tooFew(1, false, 0, 1, 1, rule, rule).summary()).isEqualTo(summary);
    assertThat(tooFew(2, false, 1, 2, 2, rule).summary())
        .isEqualTo(summary.replace("no ", "fewer than 2 ").replace(" device ", " devices "));
  }

  @Test
  void tooFewDevicesOfNoneOrOfSeveralReasonsInShort() {
    assertThat(tooFew(1, false, 0, 0, 4).summary()).isEqualTo("no device of class gpu");
    assertThat(tooFew(2, false, 1, 1, 4).summary())
        .isEqualTo("node has 1 device of class gpu, 2 are requested");
    assertThat(tooFew(8, false, 2, 4, 4, ExclusionCause.USAGE).summary())
        .isEqualTo("node has 4 devices of class gpu, 8 are requested");
    assertThat(tooFew(8, false, 2, 4, 4, ExclusionCause.USAGE).statement())
        .endsWith("but the node has only 4, of which 2 can be allocated: some are refused");
    assertThat(tooFew(8, true, 2, 4, 4, ExclusionCause.USAGE).summary())
        .isEqualTo("fewer than 8 free devices of class gpu");
    assertThat(tooFew(1, false, 0, 2, 2, ExclusionCause.USAGE, ExclusionCause.TAINTS).summary())
        .isEqualTo("no usable device of class gpu");
    assertThat(tooFew(1, false, 0, 1, 1, ExclusionCause.USAGE).requirements()).containsExactly(R);
    assertThat(tooFew(1, false, 0, 1, 1, ExclusionCause.USAGE).refused()).hasSize(1);
  }

  @Test
  void tooFewForAll() {
    Reason one = new Reason.TooFewForAll(List.of(R, S), 2, 1, refusedBy(ExclusionCause.USAGE), "");
    assertThat(one.text())
        .isEqualTo(
            "claim default/c: requests r and s together need 2 devices, but only 1"
                + " can be allocated to them");
    assertThat(one.summary()).isEqualTo("fewer than 2 devices for requests r and s together");
    assertThat(one.requirements()).containsExactly(R, S);
    assertThat(one.refused()).hasSize(1);
    Requirement.Request other = new Requirement.Request(new ClaimKey("default", "d"), "t");
    assertThat(new Reason.TooFewForAll(List.of(R, other), 3, 2, List.of(), "2 are in use").text())
        .isEqualTo(
            "claims default/c and default/d: their requests r and t together need 3 devices, but"
                + " only 2 can be allocated to them; 2 are in use");
    assertThat(new Reason.TooFewForAll(Collections.nCopies(6, R), 6, 5, List.of(), "").summary())
        .isEqualTo("fewer than 6 devices for requests r, r, r, r and 2 more together");
    assertThat(new Reason.TooFewForAll(List.of(R, SAME), 2, 1, List.of(), "").summary())
        .isEqualTo(
            "fewer than 2 devices for requests r and matchAttribute gpu/root of r and s together");
  }

  @Test
  void tooManyDevices() {
    Reason refusal = new Reason.TooManyDevices(R, 33, 32);
    assertThat(refusal.text())
        .isEqualTo(
            "claim default/c, request r: needs 33 devices, but a claim can have no more than 32");
    assertThat(refusal.summary())
        .isEqualTo("request r needs more than the 32 devices that a claim can have");
    assertThat(refusal.requirements()).containsExactly(R);
    assertThat(refusal.refused()).isEmpty();
  }

  @Test
  void missingAttribute() {
    Reason refusal = new Reason.MissingAttribute(SAME, R, "gpu/root", List.of());
    assertThat(refusal.text())
        .isEqualTo(
            "claim default/c: no device for request r has the attribute gpu/root, which a"
                + " constraint compares");
    assertThat(new Reason.MissingAttribute(SAME, R, "gpu/root", List.of("gpu/rot")).text())
        .endsWith("which a constraint compares; did you mean gpu/rot?");
    assertThat(refusal.summary()).isEqualTo("no device for request r has the attribute gpu/root");
    assertThat(refusal.requirements()).containsExactly(SAME, R);
  }

  private static Reason.NoCommonValue noCommonValue(
      int alike, int values, int devices, int ofR, int ofS, String apart, String reasons) {
    return new Reason.NoCommonValue(
        SAME_ROOT,
        alike,
        StandardAttributes.PCIE_ROOT,
        values,
        "pci0",
        devices,
        List.of(new Reason.Share(R, 1, ofR), new Reason.Share(S, 2, ofS)),
        apart,
        refusedBy(ExclusionCause.USAGE),
        reasons);
  }

  @Test
  void noCommonValue() {
    String summary =
        "no PCIe root has 1 free device for r and 2 for s, and matchAttribute"
            + " resource.kubernetes.io/pcieRoot needs all 3 to share one";
    String text = "claim default/c: " + summary;
    assertThat(noCommonValue(0, 3, 2, 1, 1, "", "").summary()).isEqualTo(summary);
    assertThat(noCommonValue(0, 3, 2, 1, 1, "", "").text())
        .isEqualTo(text + "; the best of 3 values, pci0, has 1 and 1");
    assertThat(noCommonValue(0, 1, 1, 1, 1, "", "").text())
        .isEqualTo(text + "; the only value, pci0, has 1 and 1, which are the same 1");
    assertThat(noCommonValue(0, 2, 2, 1, 1, "r on 0, s on 1", "2 are in use").text())
        .isEqualTo(text + ": r on 0, s on 1; 2 are in use");
    assertThat(noCommonValue(1, 3, 2, 1, 1, "", "").text())
        .endsWith("has 1 and 1 (1 more constraints find the same)");
    assertThat(noCommonValue(0, 3, 2, 1, 1, "", "").requirements())
        .containsExactly(SAME_ROOT, R, S);
    assertThat(noCommonValue(0, 3, 2, 1, 1, "", "").refused()).hasSize(1);
    Reason two =
        new Reason.NoCommonValue(
            SAME, 0, "gpu/root", 1, "x", 1, List.of(new Reason.Share(R, 2, 1)), "", List.of(), "");
    assertThat(two.summary())
        .isEqualTo(
            "no value of gpu/root has 2 free devices for r, and matchAttribute gpu/root needs both"
                + " to share one");
  }

  @Test
  void noCommonValueOfManyRequestsNamesThirtyTwo() {
    assertThat(noCommonValueOf(32).summary())
        .contains(" and 1 for r31, and")
        .doesNotContain("more");
    assertThat(noCommonValueOf(32).text()).endsWith(" and 1").doesNotContain("others");
    assertThat(noCommonValueOf(35).summary())
        .contains(" and 1 for r31 and the devices for 3 more requests, and")
        .doesNotContain("r32");
    assertThat(noCommonValueOf(35).text()).contains(" and 1 and others");
  }

  private static Reason noCommonValueOf(int requests) {
    List<Reason.Share> shares = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      shares.add(new Reason.Share(new Requirement.Request(R.claim(), "r" + i), 1, 1));
    }
    return new Reason.NoCommonValue(SAME, 0, "gpu/root", 2, "x", 100, shares, "", List.of(), "");
  }

  @Test
  void tooFewGroups() {
    Reason none =
        new Reason.TooFewGroups(
            SAME,
            List.of(R, S),
            StandardAttributes.NUMA_NODE,
            2,
            0,
            refusedBy(ExclusionCause.USAGE),
            "");
    assertThat(none.text())
        .isEqualTo(
            "claim default/c: needs 2 sets of devices like r and s, each set on one NUMA node, but"
                + " the free devices make none");
    assertThat(none.summary())
        .isEqualTo("fewer than 2 sets of free devices like r and s, each set on one NUMA node");
    assertThat(none.requirements()).containsExactly(R, S, SAME);
    assertThat(none.refused()).hasSize(1);
    assertThat(
            new Reason.TooFewGroups(SAME, List.of(R), "gpu/root", 2, 1, List.of(), "1 is in use")
                .text())
        .endsWith("on one value of gpu/root, but the free devices make only 1; 1 is in use");
  }

  @Test
  void unusablePools() {
    PoolId pool = new PoolId("gpu", "p");
    Reason incomplete = new Reason.UnusablePool(pool, true, "1 of 2 slices", 0);
    Reason invalid = new Reason.UnusablePool(pool, false, "d is there twice", 4);
    assertThat(incomplete.text())
        .isEqualTo(
            "pool gpu/p is incomplete (1 of 2 slices): none of its devices can be allocated");
    assertThat(incomplete.summary()).isEqualTo("a pool of driver gpu is incomplete");
    assertThat(invalid.text())
        .isEqualTo(
            "pool gpu/p is invalid (d is there twice): none of its devices can be"
                + " allocated; 4 of them are of a class that the claims request");
    assertThat(invalid.summary()).isEqualTo("a pool of driver gpu is invalid");
  }

  @Test
  void noAlternative() {
    Reason few = tooFew(1, false, 0, 1, 1, ExclusionCause.USAGE);
    Reason fault = new Reason.Fault("odd", List.of());
    Reason.NoAlternative refusal = new Reason.NoAlternative(R, List.of(few, fault, few));
    assertThat(refusal.text())
        .isEqualTo(
            "claim default/c, request r: none of its 3 alternatives can be allocated: request r:"
                + " needs 1"
                + " device of class gpu, but the node's only one is refused; odd; request r: needs"
                + " 1 device of class gpu, but the node's only one is refused");
    assertThat(refusal.summary())
        .isEqualTo("no alternative of request r: no free device of class gpu, odd");
    assertThat(refusal.requirements()).containsExactly(R);
    assertThat(refusal.refused()).hasSize(2);
    List<Reason> many = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      many.add(new Reason.Fault("f" + i, List.of()));
    }
    assertThat(new Reason.NoAlternative(R, many).summary()).endsWith("f6, f7");
    many.add(many.get(0));
    assertThat(new Reason.NoAlternative(R, many).summary()).endsWith("f6, f7 and more");
  }

  @Test
  void notTogether() {
    Reason unknown =
        new Reason.NotTogether(
            List.of("default/c"), "", refusedBy(ExclusionCause.USAGE), "1 is in use");
    assertThat(unknown.summary())
        .isEqualTo("each request finds devices by itself, but not all of them at once");
    assertThat(unknown.text()).isEqualTo("claim default/c: " + unknown.summary() + "; 1 is in use");
    assertThat(unknown.refused()).hasSize(1);
    Reason known =
        new Reason.NotTogether(List.of("default/c", "default/d"), "no luck", List.of(), "");
    assertThat(known.text())
        .isEqualTo("claims default/c and default/d: there are enough devices, but no luck");
  }

  @Test
  void whatIsNotAboutDevices() {
    assertThat(new Reason.Fault("odd", List.of("did you mean even?", "or 2?")).text())
        .isEqualTo("odd; did you mean even?");
    assertThat(new Reason.Fault("odd", List.of()).text()).isEqualTo("odd");
    assertThat(new Reason.Fault("odd", List.of("did you mean even?")).summary()).isEqualTo("odd");
    assertThat(new Reason.ByPolicy("no").text()).isEqualTo("no");
    assertThat(new Reason.ByPolicy("no").summary()).isEqualTo("no");
    assertThat(new Reason.Undecided("no answer within 1 ms").text())
        .isEqualTo("no answer within 1 ms");
    assertThat(new Reason.Undecided("no answer within 1 ms").summary())
        .isEqualTo("not all reasons could be found");
    assertThat(new Reason.ByPolicy("no").requirements()).isEmpty();
    assertThat(new Reason.ByPolicy("no").refused()).isEmpty();
  }

  @Test
  void linesBreakOnlyWhereAnErrorOfAnExpressionDoes() {
    assertThat(new Reason.Fault("a\nb", List.of()).line()).isEqualTo("a\nb");
    assertThat(new Reason.ByPolicy("a\nb").line()).isEqualTo("a\\u000ab");
    String longest = "x".repeat(2_000);
    assertThat(new Reason.ByPolicy(longest).line()).isEqualTo(longest);
    assertThat(new Reason.ByPolicy(longest + "yz").line())
        .isEqualTo("x".repeat(1_000) + " [... 2 characters ...] " + "x".repeat(998) + "yz");
    // A pair of surrogates is not cut.
    String pair = "x".repeat(999) + "\ud83d\ude00" + "x".repeat(1_001);
    assertThat(new Reason.ByPolicy(pair).line())
        .isEqualTo("x".repeat(999) + "\ud83d\ude00 [... 1 characters ...] " + "x".repeat(1_000));
  }

  @Test
  void partsOfClaimsNameThemselves() {
    assertThat(R.text()).isEqualTo("request r");
    assertThat(new Requirement.Selector(CLAIM, "r", 2, " a == b\n").text())
        .isEqualTo("selector #2 of request r (a == b)");
    assertThat(SAME.text()).isEqualTo("matchAttribute gpu/root of r and s");
    assertThat(
            new Requirement.Constraint(CLAIM, 1, DeviceConstraint.distinctAttribute("gpu/root"))
                .text())
        .isEqualTo("distinctAttribute gpu/root of all requests");
    assertThat(
            new Requirement.Constraint(CLAIM, 1, new DeviceConstraint(List.of("r"), Map.of()))
                .text())
        .isEqualTo("constraint #1 of r");
  }

  @Test
  void nodeSelectorsInWords() {
    NodeSelectorRequirement zone =
        new NodeSelectorRequirement("zone", NodeSelectorOperator.IN, List.of("a", "b", "c", "d"));
    NodeSelectorRequirement name =
        new NodeSelectorRequirement("metadata.name", NodeSelectorOperator.IN, List.of("n"));
    assertThat(
            TextFormat.of(
                new NodeSelector(
                    List.of(
                        new NodeSelectorTerm(List.of(zone), List.of(name)),
                        new NodeSelectorTerm(List.of(zone), List.of()),
                        new NodeSelectorTerm(List.of(), List.of())))))
        .isEqualTo(
            "zone In (a, b, c and 1 more) and metadata.name In (n), zone In (a, b, c and 1 more)"
                + " and 1 more");
  }

  @Test
  void listsOfNames() {
    assertThat(TextFormat.list(List.of(), 3)).isEmpty();
    assertThat(TextFormat.list(List.of("a"), 3)).isEqualTo("a");
    assertThat(TextFormat.list(List.of("a", "b"), 3)).isEqualTo("a and b");
    assertThat(TextFormat.list(List.of("a", "b", "c"), 3)).isEqualTo("a, b and c");
    assertThat(TextFormat.list(List.of("a", "b", "c", "d"), 3)).isEqualTo("a, b, c and 1 more");
    assertThat(TextFormat.devices(0)).isEqualTo("0 devices");
    assertThat(TextFormat.devices(1)).isEqualTo("1 device");
  }
}
