package io.dra4j.node;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Timer;
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

  /** A clock that jumps must shorten or lengthen no wait: the time of day is for texts alone. */
  @Test
  void noWaitReadsTheTimeOfDay() {
    noClasses()
        .that()
        .haveSimpleNameNotContaining("EventRecorder") // times of events
        .and()
        .haveSimpleNameNotContaining("PodConditionWriter")
        .and()
        .haveSimpleNameNotContaining("ClaimStatusWriter")
        .and()
        .haveSimpleNameNotContaining("HealthStreams") // when a report was made
        .and()
        .haveSimpleNameNotContaining("ReportedHealth")
        .and()
        .haveSimpleNameNotContaining("ResourceFollower") // since when a phase is
        .and()
        .haveSimpleNameNotContaining("ClusterInventory")
        .and()
        .haveSimpleNameNotContaining("OpenProblems") // since when a problem is
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Timer.class)
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(
                    "io.dra4j.node",
                    "io.dra4j.runtime",
                    "io.dra4j.kubelet",
                    "io.dra4j.kubernetes",
                    "io.dra4j.nri"));
  }
}
