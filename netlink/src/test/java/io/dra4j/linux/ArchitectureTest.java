package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers here are those that C programs of both architectures are compiled with. */
class ArchitectureTest {

  @ParameterizedTest
  @CsvSource({
    "amd64, X86_64",
    "x86_64, X86_64",
    "aarch64, AARCH64",
    "ARM64, AARCH64",
  })
  void isKnownByTheNamesOfTheJvmAndTheKernel(String name, Architecture architecture) {
    assertThat(Architecture.named(name)).isEqualTo(architecture);
  }

  @ParameterizedTest
  @CsvSource({
    "X86_64,  0200000, 0400000, 040000",
    "AARCH64, 040000, 0100000, 0200000",
  })
  void openFlagsAreThoseOfTheArchitecture(
      Architecture architecture, String directory, String noFollow, String direct) {
    assertThat(architecture.directory()).isEqualTo(Integer.parseInt(directory, 8));
    assertThat(architecture.noFollow()).isEqualTo(Integer.parseInt(noFollow, 8));
    assertThat(architecture.direct()).isEqualTo(Integer.parseInt(direct, 8));
  }

  @Test
  void othersAreRefusedByName() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> Architecture.named("s390x"))
        .withMessageContaining("s390x");
  }

  @Test
  void theKernelAgreesWithTheFlagsOfThisArchitecture() {
    NativeAccess access = NativeAccess.system();
    Architecture here = Architecture.current();

    assertThat(access.open("/proc/self/status", here.directory())).isEqualTo(-Errno.ENOTDIR.code());
    assertThat(access.open("/proc/self", here.noFollow())).isEqualTo(-Errno.ELOOP.code());
  }
}
