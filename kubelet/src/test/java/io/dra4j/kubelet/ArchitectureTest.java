package io.dra4j.kubelet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.dra4j.kubelet");

  @Test
  void theModuleKnowsGrpcAndNothingElseOfDra4j() {
    classes()
        .that()
        .resideInAPackage("io.dra4j.kubelet..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "com.fasterxml.jackson..",
            "com.google.protobuf..",
            "io.grpc..",
            "io.netty..",
            "org.slf4j..",
            "org.jspecify..",
            "io.dra4j.kubelet..")
        .check(CLASSES);
  }

  @Test
  void cdiFilesNeedNoGrpc() {
    noClasses()
        .that()
        .resideInAPackage("io.dra4j.kubelet.cdi")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..", "io.netty..", "io.dra4j.kubelet", "io.dra4j.kubelet.wire")
        .check(CLASSES);
  }

  @Test
  void noPublicMethodHasAGeneratedMessage() {
    noMethods()
        .that()
        .areDeclaredInClassesThat()
        .resideInAPackage("io.dra4j.kubelet")
        .and()
        .arePublic()
        .and()
        .areDeclaredInClassesThat()
        .arePublic()
        .should()
        .haveRawReturnType(
            com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage(
                "io.dra4j.kubelet.wire"))
        .check(CLASSES);
  }
}
