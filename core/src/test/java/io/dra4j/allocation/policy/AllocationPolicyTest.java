package io.dra4j.allocation.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dra4j.allocation.AllocationOutcome;
import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.AllocationOutcome.Rejected;
import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.RejectionReason;
import io.dra4j.allocation.policy.AllocationPolicy.Choice;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceId;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllocationPolicyTest {

  /** Chooses as a test wants it, and scores by how many devices were passed over. */
  private record Policy(Function<PolicyContext, Choice> choice) implements AllocationPolicy {

    @Override
    public Choice choose(PolicyContext question) {
      return choice.apply(question);
    }

    @Override
    public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices) {
      int sum = devices.stream().flatMap(List::stream).mapToInt(question.devices()::indexOf).sum();
      return Optional.of(new Sum(sum));
    }
  }

  private record Sum(double gigabytesPerSecond) implements Score {
    @Override
    public double upperBoundGigabytesPerSecond() {
      return gigabytesPerSecond;
    }

    @Override
    public String explanation() {
      return "sum " + (int) gigabytesPerSecond;
    }

    @Override
    public int compareTo(Score other) {
      return Double.compare(gigabytesPerSecond, other.gigabytesPerSecond());
    }
  }

  private static Choice ordinals(PolicyContext question, int... ordinals) {
    List<List<PolicyDevice>> devices = new ArrayList<>();
    int next = 0;
    for (PolicyContext.Request wanted : question.requests()) {
      List<PolicyDevice> some = new ArrayList<>();
      for (int i = 0; i < wanted.firstFit().size(); i++) {
        some.add(question.devices().get(ordinals[next++]));
      }
      devices.add(some);
    }
    return new Choice.Devices(devices);
  }

  private static AllocationOutcome allocate(
      Cluster cluster, Function<PolicyContext, Choice> choice, ResourceClaim... claims) {
    return cluster.allocate(Allocator.builder().policy(new Policy(choice)), claims);
  }

  private static String devices(AllocationOutcome outcome) {
    assertThat(outcome).isInstanceOf(Allocated.class);
    List<String> names = new ArrayList<>();
    for (ClaimAllocation claim : ((Allocated) outcome).allocations()) {
      claim.result().results().forEach(result -> names.add(result.device()));
    }
    return String.join(" ", names);
  }

  private static ResourceClaim claim(String name, long count) {
    return ResourceClaim.named(name)
        .request("r", request -> request.deviceClass("any").count(count))
        .build();
  }

  @Test
  void aValidProposalIsTaken() {
    AllocationOutcome outcome =
        allocate(Cluster.withDevices(4), q -> ordinals(q, 3, 1, 0), claim("a", 2), claim("b", 1));

    assertThat(devices(outcome)).isEqualTo("d1 d3 d0");
    assertThat(((Allocated) outcome).score().orElseThrow().explanation()).isEqualTo("sum 4");
  }

  @Test
  void aPolicyMayLeaveTheChoiceToFirstFit() {
    AllocationPolicy last = AllocationPolicy.firstFit();
    AllocationPolicy leaving =
        new AllocationPolicy() {
          @Override
          public Choice choose(PolicyContext question) throws BudgetExceededException {
            return last.choose(question);
          }

          @Override
          public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices)
              throws BudgetExceededException {
            return last.score(question, devices);
          }
        };
    AllocationOutcome outcome =
        Cluster.withDevices(2).allocate(Allocator.builder().policy(leaving), claim("a", 1));
    assertThat(devices(outcome)).isEqualTo("d0");
    assertThat(((Allocated) outcome).score()).isEmpty();
  }

  @Test
  void ofAProposalOfMoreDevicesTheFirstAreTaken() {
    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(4),
            q ->
                new Choice.Devices(
                    List.of(List.of(q.devices().get(3), q.devices().get(1), q.devices().get(2)))),
            claim("a", 2));
    assertThat(devices(outcome)).isEqualTo("d1 d2");
  }

  @Test
  void aProposalForMoreOrFewerRequestsIsAMistakeOfThePolicy() {
    for (int lists : new int[] {0, 2}) {
      assertThatThrownBy(
              () ->
                  allocate(
                      Cluster.withDevices(4),
                      q -> new Choice.Devices(Collections.nCopies(lists, List.of())),
                      claim("a", 2)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "a policy must return devices for each of 1 requests; it returned %d lists", lists);
    }
  }

  @Test
  void whereRulesRefuseAProposalTheFirstFitStays() {
    AllocationOutcome outcome =
        allocate(Cluster.withDevices(4), q -> ordinals(q, 3, 1, 1), claim("a", 2), claim("b", 1));

    assertThat(devices(outcome)).isEqualTo("d0 d1 d2");
    assertThat(((Allocated) outcome).score().orElseThrow().explanation()).isEqualTo("sum 3");
  }

  @Test
  void constraintsDecideOnProposals() {
    Cluster cluster =
        Cluster.withDevices(
            Device.named("a").attribute("root", "x").build(),
            Device.named("b").attribute("root", "x").build(),
            Device.named("c").attribute("root", "y").build(),
            Device.named("d").attribute("root", "y").build());
    ResourceClaim pair =
        ResourceClaim.named("pair")
            .request("r", request -> request.deviceClass("any").count(2))
            .constraint(DeviceConstraint.matchAttribute("gpu/root"))
            .build();

    assertThat(devices(allocate(cluster, q -> ordinals(q, 2, 3), pair))).isEqualTo("c d");
    assertThat(devices(allocate(cluster, q -> ordinals(q, 1, 2), pair))).isEqualTo("a b");
  }

  @Test
  void theAlternativeThatKubernetesWouldTakeStays() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request(
                DeviceRequest.firstAvailable(
                    "r",
                    List.of(
                        new DeviceSubRequest(
                            "many", ExactDeviceRequest.ofClass("any").count(5).build()),
                        new DeviceSubRequest(
                            "few", ExactDeviceRequest.ofClass("any").count(2).build()))))
            .build();

    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(3),
            q -> {
              assertThat(q.requests().get(0).name()).isEqualTo("r/few");
              return ordinals(q, 1, 2);
            },
            claim);

    assertThat(devices(outcome)).isEqualTo("d1 d2");
  }

  @Test
  void aPolicyIsNotAskedAboutClaimsThatDoNotFit() {
    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(1),
            q -> {
              throw new AssertionError("asked");
            },
            claim("a", 2));

    assertThat(outcome).isInstanceOf(Unallocatable.class);
  }

  @Test
  void aPolicyThatRefusesSaysWhy() {
    AllocationOutcome outcome =
        allocate(Cluster.withDevices(2), q -> new Choice.Refused("too far apart"), claim("a", 2));

    assertThat(((Unallocatable) outcome).explanation().lines()).containsExactly("too far apart");
  }

  @Test
  void aDemandThatCannotBeUnderstoodIsAFaultOfTheClaim() {
    AllocationOutcome outcome =
        allocate(Cluster.withDevices(2), q -> new Choice.Faulty("claim a: what?"), claim("a", 2));

    assertThat(outcome).isEqualTo(new Rejected(RejectionReason.CLAIM, "claim a: what?"));
  }

  @Test
  void requestsSayWhichDevicesTheyMayHave() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").selector("fast"))
            .request("s", request -> request.deviceClass("any").selector("fast"))
            .request("t", request -> request.deviceClass("any"))
            .build();
    List<String> said = new ArrayList<>();

    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(
                Device.named("a").attribute("fast", true).build(),
                Device.named("c").attribute("fast", false).build(),
                Device.named("d").attribute("fast", true).build(),
                Device.named("b").build()),
            q -> {
              try {
                for (int i = 0; i < 4; i++) {
                  said.add(
                      q.devices().get(i).device().name() + " " + q.canUse(0, q.devices().get(i)));
                }
              } catch (io.dra4j.common.BudgetExceededException e) {
                throw new AssertionError(e);
              }
              said.add(q.isInterchangeable(0, 1) + " " + q.isInterchangeable(0, 2));
              return new Choice.AsFound();
            },
            claim);

    assertThat(devices(outcome)).isEqualTo("a d c");
    assertThat(said).containsExactly("a true", "c false", "d true", "b false", "true false");
  }

  @Test
  void allDevicesAreNotForAPolicyToChoose() {
    ResourceClaim all =
        ResourceClaim.named("c").request("r", request -> request.deviceClass("any").all()).build();

    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(2),
            q -> {
              assertThat(q.requests().get(0).open()).isFalse();
              return ordinals(q, 1, 1);
            },
            all);

    assertThat(devices(outcome)).isEqualTo("d0 d1");
  }

  @Test
  void anAllocatorTellsItsPolicy() {
    AllocationPolicy policy = new Policy(question -> new Choice.AsFound());
    Allocator.Builder builder = Allocator.builder().selectors(Cluster.withDevices(1).words);
    assertThat(builder.build().policy()).isSameAs(AllocationPolicy.firstFit());
    assertThat(builder.policy(policy).build().policy()).isSameAs(policy);
  }

  /** Wants what a test wants, and says no where it does not get that. */
  private static final class Stubborn implements AllocationPolicy {

    private final int[] wanted;
    private final List<String> seen = new ArrayList<>();

    Stubborn(int... wanted) {
      this.wanted = wanted;
    }

    @Override
    public Choice choose(PolicyContext question) {
      seen.add("choose " + question.isProposalRefused() + " " + question.attachment(String.class));
      question.attach("a note");
      return ordinals(question, wanted);
    }

    @Override
    public Optional<Score> score(PolicyContext question, List<List<PolicyDevice>> devices) {
      seen.add("score " + names(devices));
      return Optional.empty();
    }

    @Override
    public Optional<String> refuses(PolicyContext question, List<List<PolicyDevice>> devices) {
      seen.add(
          "refuses "
              + question.isProposalRefused()
              + " "
              + question.attachment(String.class)
              + names(devices));
      return Optional.of("not what was wanted");
    }

    private static List<List<String>> names(List<List<PolicyDevice>> devices) {
      return devices.stream()
          .map(some -> some.stream().map(device -> device.device().name()).toList())
          .toList();
    }
  }

  @Test
  void aPolicyMayRefuseWhatIsLeftWhereRulesRefuseItsProposal() {
    Stubborn policy = new Stubborn(1, 1);
    AllocationOutcome outcome =
        Cluster.withDevices(3)
            .allocate(Allocator.builder().policy(policy), claim("a", 1), claim("b", 1));
    assertThat(((Unallocatable) outcome).explanation().lines())
        .containsExactly("not what was wanted");
    assertThat(policy.seen)
        .containsExactly(
            "choose false Optional.empty", "refuses true Optional[a note][[d0], [d1]]");
    Stubborn possible = new Stubborn(2, 1);
    assertThat(
            devices(
                Cluster.withDevices(3)
                    .allocate(Allocator.builder().policy(possible), claim("a", 1), claim("b", 1))))
        .isEqualTo("d2 d1");
    assertThat(possible.seen).containsExactly("choose false Optional.empty", "score [[d2], [d1]]");
    assertThat(possible.comparesNodes()).isFalse();
  }

  @Test
  void aQuestionHasTheInventoryTheNodeAndTheTime() {
    Cluster cluster = Cluster.withDevices(2);
    AllocationOutcome outcome =
        allocate(
            cluster,
            question -> {
              assertThat(question.inventory().node("n")).isPresent();
              assertThat(question.node().name()).isEqualTo("n");
              assertThat(question.budget().isUnlimited()).isFalse();
              assertThat(question.budget().isOver()).isFalse();
              return new Choice.AsFound();
            },
            claim("a", 1));
    assertThat(devices(outcome)).isEqualTo("d0");
    assertThat(((Allocated) outcome).score().orElseThrow().explanation()).isEqualTo("sum 0");
  }

  /** A device that no inventory has made. */
  private record Foreign(DeviceId id, Device device, ResourceSlice slice) implements PolicyDevice {}

  @Test
  void aDeviceOfAnotherMakerIsAMistakeOfThePolicy() {
    Device device = Device.named("d0").build();
    Foreign foreign =
        new Foreign(
            new DeviceId("gpu", "n", "d0"),
            device,
            ResourceSlice.onNode("slice", "gpu", "n", List.of(device)));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                allocate(
                    Cluster.withDevices(2),
                    question -> new Choice.Devices(List.of(List.of(foreign))),
                    claim("a", 1)))
        .withMessage(
            "device: expected one of the node's devices, found " + Foreign.class.getName());
  }

  @Test
  void aDeviceIsTheSameEachTimeAndHasItsSlice() {
    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(2).add(Cluster.holding("other", "d0")),
            question -> {
              PolicyDevice first = question.devices().get(0);
              assertThat(question.devices()).hasSize(2);
              assertThat(question.devices().get(0)).isSameAs(first);
              assertThat(first.id()).isEqualTo(new DeviceId("gpu", "n", "d0"));
              assertThat(first.slice().metadata().name()).isEqualTo("slice");
              assertThat(question.isInUse(first)).isTrue();
              assertThat(question.isInUse(question.devices().get(1))).isFalse();
              assertThat(question.attachment(String.class)).isEmpty();
              question.attach(1);
              assertThat(question.attachment(String.class)).isEmpty();
              assertThat(question.attachment(Integer.class)).contains(1);
              return new Choice.AsFound();
            },
            claim("a", 1));
    assertThat(devices(outcome)).isEqualTo("d1");
  }

  @Test
  void whereAPolicyWantsNothingForARequestWhatWasFoundStays() {
    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(4),
            question -> new Choice.Devices(List.of(List.of(), List.of(question.devices().get(3)))),
            claim("a", 1),
            claim("b", 1));
    assertThat(devices(outcome)).isEqualTo("d0 d3");
    AllocationOutcome asFound =
        allocate(
            Cluster.withDevices(4),
            question -> new Choice.Devices(List.of(List.of(), List.of(question.devices().get(1)))),
            claim("a", 1),
            claim("b", 1));
    assertThat(devices(asFound)).isEqualTo("d0 d1");
  }

  @Test
  void aPolicyThatMissesARequestIsWrong() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                allocate(
                    Cluster.withDevices(2),
                    question -> new Choice.Devices(List.of(List.of(question.devices().get(1)))),
                    claim("a", 1),
                    claim("b", 1)))
        .withMessage("a policy must return devices for each of 2 requests; it returned 1 lists");
  }

  @Test
  void moreOrFewerDevicesThanARequestWantsAreNoProposal() {
    for (int many : new int[] {1, 3}) {
      AllocationOutcome outcome =
          allocate(
              Cluster.withDevices(4),
              question ->
                  new Choice.Devices(
                      List.of(
                          IntStream.range(0, many)
                              .mapToObj(i -> question.devices().get(i))
                              .toList())),
              claim("a", 2));
      assertThat(devices(outcome)).isEqualTo("d0 d1");
    }
  }

  @Test
  void aPolicyKnowsWhichDevicesARequestMayHave() {
    Cluster cluster =
        Cluster.withDevices(
                Device.named("in-use").attribute("good", true).build(),
                Device.named("yes").attribute("good", true).build(),
                Device.named("no").attribute("good", false).build(),
                Device.named("silent").build(),
                Device.named("small").attribute("good", true).capacity("m", "1").build(),
                Device.named("last").attribute("good", true).build())
            .add(Cluster.holding("other", "in-use"));
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").selector("good"))
            .build();
    List<Boolean> may = new ArrayList<>();
    AllocationOutcome outcome =
        allocate(
            cluster,
            question -> {
              for (int i = 0; i < 6; i++) {
                may.add(canUse(question, i));
              }
              return ordinals(question, 5);
            },
            claim);
    assertThat(may).containsExactly(false, true, false, false, true, true);
    assertThat(devices(outcome)).isEqualTo("last");
  }

  private static boolean canUse(PolicyContext question, int device) {
    try {
      return question.canUse(0, question.devices().get(device));
    } catch (BudgetExceededException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPolicyKnowsWhetherThereAreRulesThatNobodyKnows() {
    List<Boolean> added = new ArrayList<>();
    Policy policy =
        new Policy(
            question -> {
              added.add(question.hasAddedRules());
              return new Choice.AsFound();
            });
    ClaimRule any = ClaimRule.of("any", (before, next) -> Optional.empty());
    Cluster cluster = Cluster.withDevices(1);
    cluster.allocate(Allocator.builder().policy(policy), claim("a", 1));
    cluster.allocate(Allocator.builder().policy(policy).addRule(any), claim("a", 1));
    assertThat(added).containsExactly(false, true);
  }

  @Test
  void devicesInUseAreNotForAPolicyToChoose() {
    ResourceClaim admin =
        ResourceClaim.named("a")
            .request("r", request -> request.deviceClass("any").adminAccess())
            .build();
    AllocationOutcome outcome =
        allocate(
            Cluster.withDevices(2),
            question -> {
              assertThat(question.requests().get(0).open()).isFalse();
              return ordinals(question, 1);
            },
            admin);
    assertThat(devices(outcome)).isEqualTo("d0");
  }

  private static DeviceRequest oneOf(String name, String... selectors) {
    List<DeviceSubRequest> alternatives = new ArrayList<>();
    for (String selector : selectors) {
      alternatives.add(
          new DeviceSubRequest(
              selector, ExactDeviceRequest.ofClass("any").selector(selector).build()));
    }
    return DeviceRequest.firstAvailable(name, alternatives);
  }

  /** Devices d0, d1 and so on, of which only this one has each attribute, in the order given. */
  private static Cluster eachOf(String... attributes) {
    Device[] devices = new Device[attributes.length];
    for (int i = 0; i < devices.length; i++) {
      Device.Builder device = Device.named("d" + i);
      for (String attribute : List.of("a", "b", "c")) {
        device.attribute(attribute, attribute.equals(attributes[i]));
      }
      devices[i] = device.build();
    }
    return Cluster.withDevices(devices);
  }

  /** Takes what was found only if it has the device that is wanted; notes what it was asked. */
  private static AllocationOutcome wanting(
      String device, List<String> asked, Cluster cluster, ResourceClaim... claims) {
    return allocate(
        cluster,
        question -> {
          List<String> found = new ArrayList<>();
          question
              .requests()
              .forEach(
                  request -> request.firstFit().forEach(each -> found.add(each.device().name())));
          asked.add(String.join(" ", found));
          return found.contains(device) ? new Choice.AsFound() : new Choice.Refused("not " + asked);
        },
        claims);
  }

  @Test
  void anAlternativeThatAPolicyRefusesIsFollowedByTheNextThatFits() {
    Cluster cluster = eachOf("a", "b", "c");
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("any").selector("c"))
            .request(oneOf("s", "a", "c", "b"))
            .build();
    List<String> asked = new ArrayList<>();
    assertThat(devices(wanting("d1", asked, cluster, claim))).isEqualTo("d2 d1");
    assertThat(asked).containsExactly("d2 d0", "d2 d1"); // c of s is taken
    asked.clear();
    assertThat(devices(wanting("d0", asked, cluster, claim))).isEqualTo("d2 d0");
    assertThat(asked).containsExactly("d2 d0");
  }

  @Test
  void whereAPolicyRefusesEveryAlternativeOfTheOnlyRequestThatHasSomeNothingFits() {
    Cluster cluster = eachOf("a", "b", "c");
    ResourceClaim first = ResourceClaim.named("c").request(oneOf("r", "a", "b", "c")).build();
    List<String> asked = new ArrayList<>();
    AllocationOutcome outcome = wanting("none", asked, cluster, first);
    assertThat(asked).containsExactly("d0", "d1", "d2");
    assertThat(((Unallocatable) outcome).explanation().lines()).containsExactly("not [d0, d1, d2]");

    // The last alternative does not fit.
    asked.clear();
    AllocationOutcome misfit = wanting("none", asked, eachOf("a", "b"), first);
    assertThat(((Unallocatable) misfit).explanation().lines()).containsExactly("not [d0, d1]");
  }

  @Test
  void whereSeveralRequestsHaveAlternativesARefusalIsNoAnswer() {
    Cluster cluster = eachOf("a", "b", "c");
    ResourceClaim both =
        ResourceClaim.named("c")
            .request(oneOf("r", "a", "b"))
            .request(oneOf("s", "b", "c"))
            .build();
    List<String> asked = new ArrayList<>();
    AllocationOutcome outcome = wanting("d2", asked, cluster, both);
    assertThat(outcome)
        .isEqualTo(
            new AllocationOutcome.Undecided(
                "not [d0 d1]; other alternatives than the first that fit were not tried"));
    ResourceClaim[] ofTwoClaims = {
      ResourceClaim.named("c").request(oneOf("r", "a", "b")).build(),
      ResourceClaim.named("d").request(oneOf("r", "b", "c")).build()
    };
    asked.clear();
    assertThat(wanting("d2", asked, cluster, ofTwoClaims))
        .isInstanceOf(AllocationOutcome.Undecided.class);
    assertThat(asked).containsExactly("d0 d1");
  }

  @Test
  void anAlternativeByItselfIsNoChoice() {
    ResourceClaim claim =
        ResourceClaim.named("c").request(oneOf("r", "a")).request(oneOf("s", "b", "c")).build();
    List<String> asked = new ArrayList<>();
    assertThat(devices(wanting("d2", asked, eachOf("a", "b", "c"), claim))).isEqualTo("d0 d2");
    assertThat(asked).containsExactly("d0 d1", "d0 d2");
  }
}
