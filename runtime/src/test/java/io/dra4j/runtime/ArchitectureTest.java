package io.dra4j.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void theRuntimeKnowsContractsAndCoreButNoReaderAndNoDriver() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.runtime..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "com.sun.net.httpserver..",
            "com.fasterxml.jackson..",
            "io.micrometer..",
            "org.slf4j..",
            "org.sqlite..",
            "org.jspecify..",
            "io.dra4j.common",
            "io.dra4j.model",
            "io.dra4j.selector",
            "io.dra4j.manifest",
            "io.dra4j.inventory",
            "io.dra4j.allocation",
            "io.dra4j.selector",
            "io.dra4j.spi..",
            "io.dra4j.runtime..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .withImportOption(location -> !location.contains("/runtime/test/"))
                .importPackages("io.dra4j.runtime"));
  }
}
