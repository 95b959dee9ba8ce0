package io.dra4j.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
                "io.dra4j.common",
                "io.dra4j.model",
                "io.dra4j.selector",
                "io.dra4j.cel..",
                "dev.cel..",
                "cel.parser.internal..", // the grammar of cel-java, and what it is made with
                "org.antlr.v4.runtime..",
                "com.google..",
                "org.jspecify.."))
        .check(ALL);
  }

  /**
   * The packages in order; each depends only on packages before it, and none on the public package.
   */
  private static final List<String> ROOMS_OF_CEL =
      List.of("text", "value", "message", "library", "check", "cost", "eval", "explain");

  private static Stream<Arguments> roomsOfCel() {
    return IntStream.range(0, ROOMS_OF_CEL.size())
        .mapToObj(room -> Arguments.of(ROOMS_OF_CEL.get(room), ROOMS_OF_CEL.subList(0, room + 1)));
  }

  @ParameterizedTest
  @MethodSource("roomsOfCel")
  void aRoomOfCelKnowsOnlyThoseBeforeIt(String room, List<String> known) {
    classes()
        .that()
        .resideInAPackage("io.dra4j.cel.internal." + room)
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.not(resideInAPackage("io.dra4j.cel.."))
                .or(
                    resideInAnyPackage(
                        known.stream()
                            .map(name -> "io.dra4j.cel.internal." + name)
                            .toArray(String[]::new))))
        .check(ALL);
  }

  @Test
  void everyClassOfCelHasARoom() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.cel.internal..")
        .should()
        .resideInAnyPackage(
            ROOMS_OF_CEL.stream()
                .map(name -> "io.dra4j.cel.internal." + name)
                .toArray(String[]::new))
        .check(ALL);
  }

  @Test
  void nobodyKnowsTheRoomsOfCel() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.dra4j.cel..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.dra4j.cel.internal..")
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
            "io.dra4j.common..",
            "io.dra4j.model..",
            "io.dra4j.selector..",
            "io.dra4j.manifest..",
            "io.dra4j.inventory..",
            "io.dra4j.allocation..",
            "io.dra4j.placement..",
            "io.dra4j.scheduling..",
            "io.dra4j.topology..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.dra4j.cel..", "dev.cel..")
        .check(ALL);
  }

  private static final String[] CORE_ROOMS = {
    "io.dra4j.internal..",
    "io.dra4j.common..",
    "io.dra4j.model..",
    "io.dra4j.selector..",
    "io.dra4j.manifest..",
    "io.dra4j.inventory..",
    "io.dra4j.allocation..",
    "io.dra4j.placement..",
    "io.dra4j.scheduling..",
    "io.dra4j.persistent.."
  };

  /** The reader of JSON that core and the configurations of drivers share. */
  private static final String SHARED_JSON = "io.dra4j.internal.json";

  /** Compilation on the class path, as for cel and cli, does not check the exports of modules. */
  @Test
  void theInternalsOfCoreAreUsedByCoreAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(CORE_ROOMS)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "io.dra4j.internal..",
                    "io.dra4j.manifest.internal..",
                    "io.dra4j.inventory.internal..",
                    "io.dra4j.allocation.internal..",
                    "io.dra4j.placement.internal..",
                    "io.dra4j.persistent..")
                .and(DescribedPredicate.not(resideInAPackage(SHARED_JSON))))
        .check(ALL);
  }

  @Test
  void theReaderOfJsonIsSharedWithConfigurationsAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(CORE_ROOMS)
        .and()
        .resideOutsideOfPackage("io.dra4j.spi.configuration")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(SHARED_JSON)
        .check(ALL);
  }

  /**
   * The packages of the command; each depends only on the packages named here, and none on the main
   * class.
   */
  private static Stream<Arguments> roomsOfTheCommand() {
    return Stream.of(
        Arguments.of("terminal", List.of()),
        Arguments.of("input", List.of("terminal")),
        Arguments.of("cel", List.of("terminal", "input")),
        Arguments.of("device", List.of("terminal", "input")),
        Arguments.of("topology", List.of("terminal", "input", "device")),
        Arguments.of("cluster", List.of("terminal", "input", "topology")));
  }

  @ParameterizedTest
  @MethodSource("roomsOfTheCommand")
  void aRoomOfTheCommandKnowsOnlyItsArrows(String room, List<String> known) {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.cli." + room)
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.dra4j.cli..")
                .and(
                    DescribedPredicate.not(
                        resideInAnyPackage(
                            Stream.concat(Stream.of(room), known.stream())
                                .map(name -> "io.dra4j.cli." + name)
                                .toArray(String[]::new)))))
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
            "io.dra4j.common",
            "io.dra4j.model",
            "io.dra4j.topology",
            "io.dra4j.spi..",
            SHARED_JSON,
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
            "com.fasterxml.jackson..",
            "javax.xml.stream..",
            "io.dra4j.common",
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
            "io.dra4j.common",
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
            "io.dra4j.common",
            "io.dra4j.model",
            "io.dra4j.netlink..",
            "io.dra4j.rdma",
            "io.dra4j.selector",
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

  /**
   * Their constructors grow with each release of Kubernetes and each new fact; builders stay. The
   * codecs of manifests and of the store name every field: a forgotten field must not compile.
   */
  @ParameterizedTest
  @ValueSource(strings = {"io.dra4j.model", "io.dra4j.spi"})
  void recordsOfManyFieldsAreMadeByTheirBuilders(String room) {
    noClasses()
        .that()
        .resideOutsideOfPackages(room, "io.dra4j.manifest..", "io.dra4j.runtime.internal.store..")
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
