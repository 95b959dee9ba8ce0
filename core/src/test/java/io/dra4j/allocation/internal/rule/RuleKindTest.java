package io.dra4j.allocation.internal.rule;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.dra4j.allocation.ClaimRule;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.Compatibility;
import io.dra4j.allocation.explanation.ExclusionCause;
import io.dra4j.allocation.internal.request.AttributeTable;
import io.dra4j.allocation.internal.request.AttributeTables;
import io.dra4j.allocation.internal.request.PlacedDevices;
import io.dra4j.allocation.internal.request.PlannedRequest;
import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.allocation.internal.search.InterchangeableDevices;
import io.dra4j.common.Feature;
import io.dra4j.inventory.internal.NodeDevice;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the table of the rules says of them is so. */
class RuleKindTest {

  /** The allocator and its internals. */
  private static final String HERE = "io.dra4j.allocation";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.dra4j");

  /**
   * What equal {@link io.dra4j.inventory.internal.NodeSignature}s and {@link
   * InterchangeableDevices} have in common. A name belongs here once both compare it.
   */
  private static final Set<String> COMPARED =
      Set.of(
          "NodeDevice.capacities",
          "NodeDevice.capacityNames",
          "NodeDevice.device",
          "NodeDevice.drawsFromCounters",
          "NodeDevice.hasDemandingCapacities",
          "NodeDevice.ordinal",
          "NodeDevice.pool",
          "NodeDevice.slice",
          "Device.allowMultipleAllocations",
          "Device.capacity",
          "Device.consumesCounters",
          "Device.taints",
          "Node.declaredFeatures",
          "NodeView.consumed",
          "NodeView.consumedByEitherName",
          "NodeView.drawing",
          "NodeView.isShared",
          "NodeView.isTaken",
          "NodeView.node",
          "PoolView.counterSets",
          "ResourceSlice.skipNodeOperations");

  /** What single rules may read besides. */
  private static final Map<RuleKind, Set<String>> BESIDES =
      Map.of(
          RuleKind.CONSTRAINT, // the attributes that claims name are compared; faults have ids
          Set.of(
              "CachedAttribute.of",
              "NodeDevice.id",
              "InventoryAccess.stateOf",
              "InventoryState.valuesOf"),
          RuleKind.CAPACITY, // the domain of a capacity; faults have ids
          Set.of("NodeDevice.id", "DeviceId.driver"));

  /** Classes of the model with something about devices or nodes that may not be compared. */
  private static final Set<String> OF_DEVICES =
      Set.of(
          "Device",
          "DeviceId",
          "Node",
          "NodeAllocatableResource",
          "NodeSelection",
          "ObjectMeta",
          "ResourcePool",
          "ResourceSlice");

  /**
   * Otherwise one node stands for others on which the rule would decide differently: claims would
   * fit nowhere which fit.
   */
  @Test
  void rulesReadNoMoreThanTheySay() throws Exception {
    for (RuleKind kind : RuleKind.values()) {
      if (kind.readsAnything()) {
        continue;
      }
      for (Class<?> rule : classesOf(kind)) {
        Set<String> more = readBy(CLASSES.get(rule));
        more.removeAll(COMPARED);
        more.removeAll(BESIDES.getOrDefault(kind, Set.of()));
        assertThat(more)
            .as(
                "%s reads of devices what nobody compares: Reads.ANYTHING is what %s has to say",
                rule.getSimpleName(), kind)
            .isEmpty();
      }
    }
  }

  @Test
  void eachKindHasACauseOfItsNameWhichItsRefusalsCarry() {
    for (RuleKind kind : RuleKind.values()) {
      assertThat(kind.cause().name()).isEqualTo(kind.name());
      assertThat(kind.violation(Violation.Verb.IS, "so").cause()).isEqualTo(kind.cause());
    }
  }

  /** Reads by itself, and through others of allocation. */
  private static final class Rack implements Rule {
    @Override
    public @Nullable Violation tryPlace(PlannedRequest target, NodeDevice candidate) {
      return candidate.device().attributes().isEmpty() ? UsageRule.IN_USE : null;
    }

    @SuppressWarnings("UnusedMethod") // its code is read, and never runs
    static AttributeTable table(AttributeTables tables) {
      return tables.published("rack");
    }
  }

  @Test
  void whatARuleReadsIsSeen() {
    assertThat(readBy(new ClassFileImporter().importClass(Rack.class)))
        .contains("Device.attributes", "NodeDevice.device", "ResourceSlice.driver");
  }

  /** The classes of a rule, whatever has to be on for it. */
  private static List<Class<?>> classesOf(RuleKind kind) throws Exception {
    if (kind == RuleKind.CONSTRAINT) {
      return List.of(ConstraintRule.class.getPermittedSubclasses());
    }
    Cluster cluster = Cluster.withDevices(1);
    SearchContext context =
        cluster.context(
            cluster.inventory(),
            EnumSet.allOf(Feature.class),
            Compatibility.REFERENCE,
            List.of(ClaimRule.of("none", (given, next) -> Optional.empty())));
    Rule rule = kind.make(context, new PlacedDevices(context, 1));
    assertThat(rule).as("%s with all features on", kind).isNotNull();
    return List.of(rule.getClass());
  }

  /** What a class reads of devices and nodes, itself or through others of allocation. */
  private static Set<String> readBy(JavaClass rule) {
    Set<String> read = new TreeSet<>();
    Set<JavaCodeUnit> seen = new HashSet<>(rule.getCodeUnits());
    Deque<JavaCodeUnit> next = new ArrayDeque<>(seen);
    while (!next.isEmpty()) {
      for (JavaAccess<?> access : next.remove().getAccessesFromSelf()) {
        JavaClass owner = access.getTargetOwner();
        if (owner.getPackageName().startsWith(HERE)) {
          for (JavaCodeUnit unit : implementationsOf(access)) {
            if (seen.add(unit)) {
              next.add(unit);
            }
          }
        } else if (owner.getPackageName().startsWith("io.dra4j.inventory")
            || (owner.getPackageName().equals("io.dra4j.model")
                && OF_DEVICES.contains(owner.getSimpleName()))) {
          read.add(owner.getSimpleName() + "." + access.getTarget().getName());
        }
      }
    }
    return read;
  }

  /** What may run where a method of this name is called. */
  private static List<JavaCodeUnit> implementationsOf(JavaAccess<?> access) {
    JavaClass owner =
        CLASSES.contain(access.getTargetOwner().getName())
            ? CLASSES.get(access.getTargetOwner().getName())
            : access.getTargetOwner();
    return Stream.of(Set.of(owner), owner.getAllRawSuperclasses(), owner.getAllSubclasses())
        .flatMap(Collection::stream)
        .flatMap(type -> type.getCodeUnits().stream())
        .filter(unit -> unit.getName().equals(access.getTarget().getName()))
        .toList();
  }

  /** Explanations list reasons in the order in which devices are looked at. */
  @Test
  void refusalsAreInTheOrderOfTheRules() {
    List<ExclusionCause> ofKinds =
        Arrays.stream(RuleKind.values())
            .map(kind -> kind.violation(Violation.Verb.IS, "refused").cause())
            .toList();

    assertThat(List.of(ExclusionCause.values())).endsWith(ofKinds.toArray(ExclusionCause[]::new));
  }
}
