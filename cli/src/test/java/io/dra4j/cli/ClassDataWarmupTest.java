package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rehearsed command lines must succeed, or the JVM would record the classes of error messages.
 */
class ClassDataWarmupTest {

  static List<List<String>> commands() {
    return ClassDataWarmup.commands("../examples/gke-a4-aligned.yaml");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void isRehearsedWithoutAnError(List<String> command) {
    assertThat(ClassDataWarmup.rehearse(command)).isZero();
  }

  @Test
  void clusterIsReadWithoutAnError() {
    assertThat(ClassDataWarmup.rehearseLive()).isZero();
  }

  /** Without the class the command still works, only slower; no other test would detect that. */
  @Test
  void launcherNamesTheClass() throws IOException {
    assertThat(Files.readString(Path.of("src/dist/libexec/launcher.sh")))
        .contains(" " + ClassDataWarmup.class.getName() + ")");
  }
}
