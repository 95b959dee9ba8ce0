package io.dra4j.node;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void theModuleKnowsNoDriverAndNoWire() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.node")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "io.dra4j.model..",
            "io.dra4j.spi..",
            "io.dra4j.runtime",
            "io.dra4j.kubernetes",
            "io.dra4j.kubelet",
            "io.dra4j.kubelet.cdi",
            "io.dra4j.nri",
            "io.dra4j.node",
            "io.fabric8.kubernetes..",
            "org.slf4j..",
            "org.jspecify..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.dra4j.node"));
  }
}
