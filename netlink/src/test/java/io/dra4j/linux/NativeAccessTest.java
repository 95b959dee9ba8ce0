package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class NativeAccessTest {

  private static final NativeAccess ACCESS = NativeAccess.system();

  @Test
  void failuresAreNegativeErrorNumbersOfTheirOwnThread() throws Exception {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int task = 0; task < 4; task++) {
      boolean missing = task % 2 == 0;
      tasks.add(
          () -> {
            int expected = missing ? -Errno.ENOENT.code() : -Errno.EBADF.code();
            int wrong = 0;
            for (int i = 0; i < 5_000; i++) {
              int result = missing ? ACCESS.open("/none", 0) : ACCESS.close(-1);
              wrong += result == expected ? 0 : 1;
            }
            return wrong;
          });
    }
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      for (Future<Integer> result : executor.invokeAll(tasks)) {
        assertThat(result.get()).isZero();
      }
    } finally {
      executor.shutdown();
    }
  }

  @Test
  void theAddressOfABufferIsThatOfItsFirstByte() throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
    long address = ACCESS.address(buffer);

    assertThat(ACCESS.address(buffer.position(8))).isEqualTo(address);
    assertThatIllegalArgumentException().isThrownBy(() -> ACCESS.address(ByteBuffer.allocate(8)));
  }

  @Test
  void statusGivesTheInodeThatTheJvmSees() throws IOException {
    Path file = Path.of("/proc/self/exe").toRealPath();
    ByteBuffer status =
        ByteBuffer.allocateDirect(StructureLayout.STATX_SIZE).order(ByteOrder.nativeOrder());
    try (FileDescriptor open = FileDescriptor.open(ACCESS, file.toString(), 0)) {
      assertThat(ACCESS.status(open.number(), "", 0x1000, 0x100, ACCESS.address(status))).isZero();
    }

    assertThat(status.getLong(StructureLayout.STATX_INODE))
        .isEqualTo(Files.getAttribute(file, "unix:ino"));
    long device = (long) Files.getAttribute(file, "unix:dev"); // makedev() of sys/sysmacros.h
    assertThat(status.getInt(StructureLayout.STATX_DEVICE_MAJOR))
        .isEqualTo((int) ((device >> 8) & 0xfff));
    assertThat(status.getInt(StructureLayout.STATX_DEVICE_MINOR))
        .isEqualTo((int) ((device & 0xff) | ((device >> 12) & 0xfff00)));
  }

  @Test
  void aDescriptorIsClosedOnce() throws IOException {
    FileDescriptor first = FileDescriptor.open(ACCESS, "/proc/self/status", 0);
    int number = first.number();
    first.close();
    try (FileDescriptor second = FileDescriptor.open(ACCESS, "/proc/self/status", 0)) {
      assertThat(second.number()).isEqualTo(number); // the kernel gives the lowest free one
      first.close();
      assertThat(Files.exists(Path.of("/proc/self/fd/" + number))).isTrue();
    }
    assertThatIllegalStateException().isThrownBy(first::number);
  }

  @Test
  void errorsHaveTheNamesOfTheKernel() {
    assertThat(Errno.nameOf(19)).isEqualTo("ENODEV");
    assertThat(Errno.nameOf(105)).isEqualTo("ENOBUFS");
    assertThat(Errno.nameOf(41)).isEqualTo("error 41");
    assertThat(Errno.nameOf(4_095)).isEqualTo("error 4095");
  }

  /** {@code setsockopt} has the most parameters of all calls whose parameters are numbers. */
  @Test
  void optionsThatAreSetAreReadBack() {
    ByteBuffer memory = ByteBuffer.allocateDirect(8).order(ByteOrder.nativeOrder());
    long address = ACCESS.address(memory);
    int socket = ACCESS.socket(16, 3, 0);
    for (int value : new int[] {1, 0, 1}) {
      memory.putInt(0, value);
      assertThat(ACCESS.setOption(socket, 270, 11, address, 4)).isZero();
      memory.putInt(0, -1).putInt(4, 4);
      assertThat(ACCESS.getOption(socket, 270, 11, address, address + 4)).isZero();
      assertThat(memory.getInt(0)).isEqualTo(value);
    }
    ACCESS.close(socket);
  }
}
