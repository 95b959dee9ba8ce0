package io.dra4j.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            "java..",
            "com.fasterxml.jackson..",
            "io.dra4j.model",
            "io.dra4j.topology",
            "io.dra4j.spi..",
            "org.jspecify..")
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
  void rdmaKnowsReadersAndNetlink() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.rdma..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "jnr.ffi..",
            "jnr.posix..",
            "io.dra4j.linux",
            "io.dra4j.model",
            "io.dra4j.netlink",
            "io.dra4j.netlink.rdma",
            "io.dra4j.netlink.reader",
            "io.dra4j.netlink.route",
            "io.dra4j.netlink.uevent",
            "io.dra4j.rdma..",
            "io.dra4j.spi",
            "io.dra4j.sysfs..",
            "io.dra4j.topology",
            "org.jspecify..")
        .check(ALL);
  }

  @Test
  void onlyTheNetworkDriverAndTheCommandLineKnowRdma() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.dra4j.rdma..", "io.dra4j.dranet..", "io.dra4j.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.dra4j.rdma..")
        .check(ALL);
  }

  @Test
  void theNetworkDriverKnowsContractsReadersAndNetlink() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.dranet..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "com.fasterxml.jackson..",
            "io.dra4j.dranet..",
            "io.dra4j.linux",
            "io.dra4j.model",
            "io.dra4j.netlink..",
            "io.dra4j.rdma",
            "io.dra4j.spi..",
            "io.dra4j.sysfs..",
            "io.dra4j.topology",
            "org.jspecify..",
            "org.slf4j")
        .check(ALL);
  }

  @Test
  void onlyTheCommandLineKnowsTheNetworkDriver() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.dra4j.dranet..", "io.dra4j.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.dra4j.dranet..")
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

  /** Their constructors grow with each release of Kubernetes and each new fact; builders stay. */
  @ParameterizedTest
  @ValueSource(strings = {"io.dra4j.model", "io.dra4j.spi"})
  void recordsOfManyFieldsAreMadeByTheirBuilders(String room) {
    noClasses()
        .that()
        .resideOutsideOfPackage(room)
        .should()
        .callConstructorWhere(
            describe(
                "it is a record of " + room + " with more than 4 components",
                call ->
                    call.getTargetOwner().isRecord()
                        && call.getTargetOwner().getPackageName().equals(room)
                        && call.getTarget().getRawParameterTypes().size() > 4))
        .check(ALL);
  }
}
