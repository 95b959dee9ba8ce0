package io.dra4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeAffinity;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.inventory.internal.InventoryAccess;
import io.dra4j.model.Device;
import io.dra4j.placement.PlacementPolicy;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
          entry("internal", List.of()),
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
          entry(
              "manifest",
              List.of(
                  "manifest.internal.json",
                  "manifest.internal.yaml",
                  "manifest.internal.codec",
                  "manifest.internal.read",
                  "model",
                  "common")),
          entry("manifest.internal.json", List.of("manifest", "common")),
          entry("manifest.internal.yaml", List.of("manifest.internal.json", "manifest", "common")),
          entry(
              "manifest.internal.codec",
              List.of("manifest.internal.json", "manifest", "model", "common")),
          entry(
              "manifest.internal.read",
              List.of(
                  "manifest.internal.codec",
                  "manifest.internal.json",
                  "manifest.internal.yaml",
                  "manifest",
                  "model",
                  "common")),
          entry(
              "manifest.task",
              List.of(
                  "manifest.internal.json",
                  "manifest.internal.yaml",
                  "manifest.internal.read",
                  "manifest")),
          entry(
              "manifest.value",
              List.of("manifest.internal.json", "manifest.internal.yaml", "manifest", "common")),
          entry("manifest.validation", List.of("manifest", "selector", "model", "common")),
          entry(
              "allocation",
              List.of(
                  "allocation.explanation",
                  "allocation.policy",
                  "allocation.status",
                  "allocation.internal..",
                  "inventory..",
                  "selector",
                  "model",
                  "common")),
          entry("allocation.policy", List.of("inventory", "model", "common")),
          entry(
              "allocation.explanation",
              List.of("allocation.internal.text", "inventory", "model", "common")),
          entry(
              "allocation.status",
              List.of("allocation.explanation", "inventory", "model", "common")),
          entry("allocation.internal.text", List.of("model", "common")),
          entry("allocation.internal.access", List.of("allocation", "inventory.internal")),
          entry(
              "allocation.internal.request",
              List.of(
                  "allocation",
                  "allocation.internal.text",
                  "inventory..",
                  "selector",
                  "model",
                  "common")),
          entry(
              "allocation.internal.rule",
              List.of(
                  "allocation",
                  "allocation.explanation",
                  "allocation.internal.request",
                  "inventory.internal",
                  "selector",
                  "model",
                  "common")),
          entry(
              "allocation.internal.search",
              List.of(
                  "allocation",
                  "allocation.policy",
                  "allocation.internal.rule",
                  "allocation.internal.request",
                  "allocation.internal.text",
                  "inventory..",
                  "model",
                  "common")),
          entry(
              "allocation.internal.explain",
              List.of(
                  "allocation",
                  "allocation.explanation",
                  "allocation.status",
                  "allocation.internal.search",
                  "allocation.internal.rule",
                  "allocation.internal.request",
                  "allocation.internal.text",
                  "inventory..",
                  "selector",
                  "model",
                  "common")),
          entry("placement.bandwidth", List.of("topology", "internal.json")),
          entry("placement.cloud", List.of("placement.bandwidth", "topology", "internal.json")),
          entry(
              "placement.internal.server",
              List.of(
                  "placement.bandwidth",
                  "topology",
                  "allocation",
                  "allocation.internal.access",
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
                  "allocation.internal.search",
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
                  "allocation.internal.access",
                  "allocation.internal.search",
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
                  "inventory",
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
                  "allocation.internal.access",
                  "allocation.internal.search",
                  "inventory",
                  "inventory.internal",
                  "model",
                  "common")),
          entry(
              "scheduling",
              List.of(
                  "placement",
                  "placement.gang",
                  "placement.internal.policy",
                  "persistent",
                  "allocation",
                  "allocation.explanation",
                  "allocation.policy",
                  "allocation.internal.access",
                  "inventory..",
                  "model",
                  "common")),
          entry(
              "scheduling.defragmentation",
              List.of(
                  "scheduling",
                  "placement",
                  "placement.gang",
                  "allocation",
                  "allocation.explanation",
                  "inventory",
                  "inventory.internal",
                  "allocation.internal.access",
                  "model",
                  "common")),
          entry(
              "scheduling.planning",
              List.of(
                  "scheduling",
                  "placement",
                  "allocation",
                  "allocation.explanation",
                  "allocation.policy",
                  "allocation.status",
                  "inventory",
                  "model",
                  "common")),
          entry(
              "scheduling.reservation",
              List.of("allocation", "inventory", "persistent", "model", "common")));

  /** So many public types an exported package has at most, nested ones included. */
  private static final int MAX_PUBLIC_TYPES = 25;

  /** So many files a package has at most, exported or not. */
  private static final int MAX_FILES = 45;

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

  /** They share values with the allocator: outcomes, rules, reasons of rejections. */
  @Test
  void whatTheAllocatorIsMadeOfDoesNotUseTheAllocator() {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.allocation.internal..")
        .and()
        .resideOutsideOfPackage("io.dra4j.allocation.internal.access")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Allocator.class, ClusterQuery.class)
        .check(CORE);
  }

  @Test
  void aPackageIsSmallEnoughToBeKnown() throws Exception {
    Path classes =
        Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Set<String> exported = new TreeSet<>();
    try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
      ModuleDescriptor.read(in).exports().forEach(one -> exported.add(one.source()));
    }
    Map<String, Integer> publicTypes = new TreeMap<>();
    Map<String, Integer> files = new TreeMap<>();
    for (JavaClass type : CORE) {
      String name = type.getPackageName();
      if (exported.contains(name) && isPublic(type)) {
        publicTypes.merge(name, 1, Integer::sum);
      }
      if (type.isTopLevelClass()) {
        files.merge(name, 1, Integer::sum);
      }
    }
    assertThat(publicTypes).containsKeys("io.dra4j.inventory", "io.dra4j.manifest");

    List<String> tooLarge = new ArrayList<>();
    files.forEach(
        (name, number) -> {
          int types = publicTypes.getOrDefault(name, 0);
          if (types > MAX_PUBLIC_TYPES || number > MAX_FILES) {
            tooLarge.add("%s: %d public types, %d files".formatted(name, types, number));
          }
        });
    // model has what the API has
    assertThat(tooLarge).allMatch(one -> one.startsWith("io.dra4j.model:"));
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
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

  /** The index takes apart and makes its state; only the exported class wraps it. */
  @Test
  void theIndexDoesNotKnowTheInventoryThatWrapsIt() {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.inventory.internal")
        .and()
        .doNotHaveFullyQualifiedName(InventoryAccess.class.getName())
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(DeviceInventory.class, NodeDevices.class, NodeAffinity.class)
        .check(CORE);
  }

  /**
   * Where a device is in its slice and pool, only classes that are not exported know. An int that
   * went in or came out would be a place. Counts are long.
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
