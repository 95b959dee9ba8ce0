package io.dra4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import io.dra4j.placement.PlacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The layers of the module: model at the bottom, manifest and inventory side by side above it,
 * allocation on the inventory, placement and scheduling on top.
 */
class ArchitectureTest {

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.dra4j");

  /** Which rooms a room may know, besides itself; the key is the package below io.dra4j. */
  private static final Map<String, List<String>> ARROWS =
      Map.ofEntries(
          entry("internal", List.of("model")),
          entry("internal.json", List.of("common")),
          entry("common", List.of("internal")),
          entry("persistent", List.of()),
          entry("model", List.of("common", "internal")),
          entry("selector", List.of("common", "internal", "model")),
          entry("topology", List.of("model")),
          entry(
              "inventory",
              List.of("inventory.internal", "persistent", "selector", "model", "common")),
          entry(
              "inventory.internal",
              List.of("inventory", "persistent", "selector", "model", "common")),
          entry("manifest", List.of("manifest.internal..", "model", "common")),
          entry("manifest.internal.json", List.of("manifest", "common")),
          entry("manifest.internal.yaml", List.of("manifest.internal.json", "manifest")),
          entry(
              "manifest.internal.codec",
              List.of(
                  "manifest.internal.json",
                  "manifest.internal.read",
                  "manifest",
                  "model",
                  "common")),
          entry(
              "manifest.internal.read",
              List.of(
                  "manifest.internal.codec",
                  "manifest.internal.json",
                  "manifest.internal.yaml",
                  "manifest",
                  "model",
                  "common")),
          entry("manifest.validation", List.of("manifest", "selector", "model", "common")),
          entry(
              "allocation", List.of("allocation..", "inventory..", "selector", "model", "common")),
          entry("allocation.policy", List.of("allocation..", "inventory..", "model", "common")),
          entry(
              "allocation.explanation", List.of("allocation..", "inventory..", "model", "common")),
          entry(
              "allocation.internal..",
              List.of("allocation..", "inventory..", "selector", "model", "common")),
          entry("placement.bandwidth", List.of("topology", "internal.json")),
          entry("placement.cloud", List.of("placement.bandwidth", "topology", "internal.json")),
          entry(
              "placement.internal.server",
              List.of(
                  "placement.bandwidth",
                  "topology",
                  "allocation",
                  "inventory",
                  "inventory.internal",
                  "model",
                  "common")),
          entry(
              "placement.internal.selection",
              List.of(
                  "placement.internal.server",
                  "topology",
                  "allocation.policy",
                  "inventory.internal",
                  "model",
                  "common")),
          entry(
              "placement.internal.gang",
              List.of("placement.internal.server", "topology", "common")),
          entry(
              "placement.internal.policy",
              List.of(
                  "placement",
                  "placement.bandwidth",
                  "placement.internal.selection",
                  "placement.internal.server",
                  "topology",
                  "allocation",
                  "allocation.policy",
                  "inventory",
                  "inventory.internal",
                  "model",
                  "common",
                  "internal.json")),
          entry(
              "placement",
              List.of(
                  "placement.bandwidth",
                  "placement.internal.policy",
                  "topology",
                  "allocation.policy",
                  "inventory.internal",
                  "model",
                  "common")),
          entry(
              "placement.gang",
              List.of(
                  "placement",
                  "placement.internal.gang",
                  "placement.internal.policy",
                  "placement.internal.selection",
                  "placement.internal.server",
                  "topology",
                  "allocation",
                  "allocation.policy",
                  "inventory",
                  "inventory.internal",
                  "model",
                  "common")),
          entry(
              "scheduling..",
              List.of(
                  "placement",
                  "placement.gang",
                  "placement.internal.policy",
                  "allocation",
                  "allocation.policy",
                  "allocation.explanation",
                  "inventory..",
                  "persistent",
                  "model",
                  "common")));

  /** Libraries that single rooms use. */
  private static final Map<String, List<String>> LIBRARIES =
      Map.of(
          "manifest..", List.of("com.fasterxml.jackson..", "org.yaml.snakeyaml.."),
          "internal.json..", List.of("com.fasterxml.jackson.."));

  @TestFactory
  Stream<DynamicTest> aRoomKnowsOnlyItsArrows() {
    return ARROWS.entrySet().stream()
        .map(
            room ->
                DynamicTest.dynamicTest(
                    room.getKey(),
                    () -> {
                      List<String> known =
                          new ArrayList<>(
                              List.of("java..", "org.jspecify..", "com.google.common.."));
                      known.add("io.dra4j." + room.getKey());
                      room.getValue().forEach(other -> known.add("io.dra4j." + other));
                      LIBRARIES.forEach(
                          (rooms, names) -> {
                            if ((room.getKey() + ".")
                                .startsWith(rooms.substring(0, rooms.length() - 1))) {
                              known.addAll(names);
                            }
                          });
                      classes()
                          .that()
                          .resideInAPackage("io.dra4j." + room.getKey())
                          .should()
                          .onlyDependOnClassesThat()
                          .resideInAnyPackage(known.toArray(String[]::new))
                          .check(CORE);
                    }));
  }

  @Test
  void everyRoomHasItsArrows() {
    Set<String> rooms = new TreeSet<>();
    CORE.forEach(type -> rooms.add(type.getPackageName().substring("io.dra4j.".length())));
    rooms.removeIf(
        room ->
            ARROWS.keySet().stream()
                .anyMatch(
                    key ->
                        key.equals(room)
                            || (key.endsWith("..")
                                && (room + ".").startsWith(key.substring(0, key.length() - 1)))));
    assertThat(rooms).isEmpty();
  }

  @Test
  void theRoomsBehindPlacementPolicyKnowOnlyItsScore() {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.placement.internal..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(PlacementPolicy.class)
        .check(CORE);
  }

  @Test
  void nobodyHasNativeCodeAnExpressionLanguageOrAKubernetesClient() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jnr..", "dev.cel..", "io.fabric8..")
        .check(CORE);
  }

  @Test
  void guavaIsNoPartOfThePublicInterface() {
    methods()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .should()
        .notHaveRawReturnType(
            DescribedPredicate.describe(
                "of guava", type -> type.getPackageName().startsWith("com.google.common")))
        .check(CORE);
  }

  /**
   * Where a device is in its slice and pool, package-private classes know. A view numbers its
   * candidates for the search; any other int that went in or came out would be a place. Counts are
   * long.
   */
  @Test
  void nobodyButTheInventoryKnowsADevicesPlace() {
    DescribedPredicate<JavaClass> number =
        DescribedPredicate.describe(
            "numbers", type -> type.isEquivalentTo(int.class) || type.isEquivalentTo(int[].class));
    methods()
        .that()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .resideInAPackage("io.dra4j.inventory")
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .doNotHaveFullyQualifiedName(NodeView.class.getName())
        .and()
        .areDeclaredInClassesThat()
        .doNotHaveFullyQualifiedName(NodeDevice.class.getName())
        .and()
        .haveNameNotMatching("size|hashCode|compareTo")
        .should()
        .notHaveRawReturnType(number)
        .andShould()
        .notHaveRawParameterTypes(
            DescribedPredicate.describe("numbers", types -> types.stream().anyMatch(number)))
        .because(
            "an int would be a device's place, which only the inventory knows; counts are long")
        .check(CORE);
  }
}
