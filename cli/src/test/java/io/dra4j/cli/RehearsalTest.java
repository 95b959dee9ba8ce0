package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is rehearsed has to work, or the JVM would learn how errors are told. */
class RehearsalTest {

  static List<List<String>> commands() {
    return Rehearsal.commands("../examples/gke-a4-aligned.yaml");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void isRehearsedWithoutAnError(List<String> command) {
    assertThat(Rehearsal.rehearse(command)).isZero();
  }
}
