package io.dra4j.nri;

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
          .importPackages("io.dra4j.nri");

  @Test
  void theModuleKnowsProtobufAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "com.google.protobuf..", "org.jspecify..", "io.dra4j.nri..")
        .check(CLASSES);
  }

  @Test
  void theTransportKnowsNothingOfPlugins() {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.nri.ttrpc")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.dra4j.nri")
        .check(CLASSES);
  }
}
