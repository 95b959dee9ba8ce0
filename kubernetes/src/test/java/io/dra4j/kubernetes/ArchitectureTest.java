package io.dra4j.kubernetes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.dra4j.kubernetes");

  @Test
  void theModuleKnowsCoreAndTheClient() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.kubernetes..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl..",
            "com.fasterxml.jackson..",
            "io.fabric8.kubernetes.client..",
            "org.slf4j..",
            "org.jspecify..",
            "io.dra4j.common",
            "io.dra4j.model",
            "io.dra4j.manifest",
            "io.dra4j.inventory",
            "io.dra4j.spi",
            "io.dra4j.spi.publish",
            "io.dra4j.kubernetes..")
        .check(CLASSES);
  }

  /** Objects are dra4j's own records: a move of the client to other types is a version. */
  @Test
  void noObjectOfTheClientIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.fabric8.kubernetes.api.model..")
        .check(CLASSES);
  }
}
