package io.dra4j.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** How the modules above core may depend on each other. */
class ArchitectureTest {

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.dra4j");

  @Test
  void celKnowsTheModelOnly() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.cel..")
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "io.dra4j.model",
                "io.dra4j.cel..",
                "dev.cel..",
                "com.google..",
                "org.jspecify.."))
        .check(ALL);
  }

  @Test
  void nobodyKnowsTheCommandLine() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.dra4j.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.dra4j.cli..", "picocli..")
        .check(ALL);
  }

  @Test
  void coreDoesNotKnowCel() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.dra4j.model",
            "io.dra4j.manifest",
            "io.dra4j.inventory",
            "io.dra4j.allocation",
            "io.dra4j.scheduling",
            "io.dra4j.topology")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.dra4j.cel..", "dev.cel..")
        .check(ALL);
  }

  @Test
  void spiKnowsCoreOnly() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.spi..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "io.dra4j.model", "io.dra4j.topology", "io.dra4j.spi..", "org.jspecify..")
        .check(ALL);
  }

  @Test
  void readersKnowSpiAndCoreOnly() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.sysfs..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.xml.stream..",
            "io.dra4j.model",
            "io.dra4j.topology",
            "io.dra4j.spi..",
            "io.dra4j.sysfs..",
            "org.jspecify..")
        .check(ALL);
  }

  @Test
  void topologyReadsNoFiles() {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.topology..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.io..", "java.nio..", "io.dra4j.manifest..", "io.dra4j.spi..")
        .check(ALL);
  }

  @Test
  void netlinkStandsAlone() {
    classes()
        .that()
        .resideInAnyPackage("io.dra4j.linux..", "io.dra4j.netlink..")
        .and()
        .resideOutsideOfPackage("io.dra4j.netlink.reader..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "jdk.jfr..",
            "jnr.ffi..",
            "io.dra4j.linux..",
            "io.dra4j.netlink..",
            "org.jspecify..")
        .check(ALL);
  }

  @Test
  void systemCallsKnowNoNetlink() {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.linux..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.dra4j.netlink..")
        .check(ALL);
  }

  /** Their constructors grow with each release of Kubernetes; their builders stay. */
  @Test
  void recordsOfManyFieldsAreMadeByTheirBuilders() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.dra4j.model")
        .should()
        .callConstructorWhere(
            describe(
                "it is a record of the model with more than 4 components",
                call ->
                    call.getTargetOwner().getPackageName().equals("io.dra4j.model")
                        && call.getTarget().getRawParameterTypes().size() > 4))
        .check(ALL);
  }
}
