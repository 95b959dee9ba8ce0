package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FileDescriptorTest {

  private static boolean isThere(int number) {
    return Files.isSymbolicLink(Path.of("/proc/self/fd/" + number));
  }

  @Test
  void isClosedWhenItsLastHoldEnds() throws IOException {
    FileDescriptor descriptor = FileDescriptor.open(NativeAccess.system(), "/proc/self/status", 0);
    FileDescriptor.Hold first = descriptor.hold();
    FileDescriptor.Hold second = descriptor.hold();

    descriptor.close();
    assertThat(descriptor.isOpen()).isFalse();
    assertThatIllegalStateException().isThrownBy(descriptor::hold);
    first.close();
    first.close(); // once more does no harm
    assertThat(isThere(second.number())).isTrue();
    int number = second.number();
    second.close();

    assertThat(isThere(number)).isFalse();
  }

  @Test
  void aDuplicateIsClosedOnItsOwn() throws IOException {
    FileDescriptor descriptor = FileDescriptor.open(NativeAccess.system(), "/proc/self/status", 0);
    try (FileDescriptor other = descriptor.duplicate()) {
      descriptor.close();

      assertThat(isThere(other.number())).isTrue();
    }
    assertThatIllegalStateException().isThrownBy(descriptor::duplicate);
  }
}
