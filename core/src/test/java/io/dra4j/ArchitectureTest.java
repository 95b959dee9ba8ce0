package io.dra4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.inventory.internal.NodeView;
import org.junit.jupiter.api.Test;

/**
 * The layers of the module: model at the bottom, manifest and inventory side by side above it,
 * allocation on the inventory.
 */
class ArchitectureTest {

  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.dra4j");

  @Test
  void theModelKnowsNothingButGuava() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.model")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.dra4j.model", "com.google.common..", "org.jspecify..")
        .check(CORE);
  }

  @Test
  void theInventoryKnowsTheModelOnly() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.inventory")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "io.dra4j.model",
            "io.dra4j.inventory",
            "io.dra4j.persistent",
            "com.google.common..",
            "org.jspecify..")
        .check(CORE);
  }

  @Test
  void persistentCollectionsKnowNothingOfDevices() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.persistent")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.dra4j.persistent", "org.jspecify..")
        .check(CORE);
  }

  @Test
  void allocationKnowsTheModelAndTheInventory() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.allocation")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "io.dra4j.model",
            "io.dra4j.inventory",
            "io.dra4j.allocation",
            "com.google.common..",
            "org.jspecify..")
        .check(CORE);
  }

  @Test
  void schedulingKnowsTheModelTheInventoryAllocationAndPlacement() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.scheduling")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "io.dra4j.model",
            "io.dra4j.inventory",
            "io.dra4j.allocation",
            "io.dra4j.persistent",
            "io.dra4j.placement",
            "io.dra4j.scheduling",
            "org.jspecify..")
        .check(CORE);
  }

  @Test
  void placementKnowsTheModelTopologyInventoryAndAllocation() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.placement")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "io.dra4j.model",
            "io.dra4j.topology",
            "io.dra4j.inventory",
            "io.dra4j.allocation",
            "io.dra4j.placement",
            "com.fasterxml.jackson..",
            "org.jspecify..")
        .check(CORE);
  }

  @Test
  void manifestsKnowTheModelAndJacksonAndNotAllocation() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.manifest")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "io.dra4j.model",
            "io.dra4j.manifest",
            "com.fasterxml.jackson..",
            "org.yaml.snakeyaml..",
            "com.google.common..",
            "org.jspecify..")
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
