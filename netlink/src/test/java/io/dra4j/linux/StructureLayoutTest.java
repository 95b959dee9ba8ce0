package io.dra4j.linux;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The layouts and flags, as the compilers for both architectures have them. */
class StructureLayoutTest {

  private static final Map<String, Integer> TABLE =
      Map.ofEntries(
          Map.entry("sizeof(struct sockaddr_nl)", StructureLayout.SOCKADDR_NL_SIZE),
          Map.entry("offsetof(struct sockaddr_nl, nl_family)", StructureLayout.SOCKADDR_NL_FAMILY),
          Map.entry("offsetof(struct sockaddr_nl, nl_pid)", StructureLayout.SOCKADDR_NL_PORT),
          Map.entry("offsetof(struct sockaddr_nl, nl_groups)", StructureLayout.SOCKADDR_NL_GROUPS),
          Map.entry("sizeof(struct pollfd)", StructureLayout.POLLFD_SIZE),
          Map.entry("offsetof(struct pollfd, events)", StructureLayout.POLLFD_EVENTS),
          Map.entry("offsetof(struct pollfd, revents)", StructureLayout.POLLFD_RETURNED),
          Map.entry("sizeof(struct msghdr)", StructureLayout.MSGHDR_SIZE),
          Map.entry("offsetof(struct msghdr, msg_name)", StructureLayout.MSGHDR_NAME),
          Map.entry("offsetof(struct msghdr, msg_namelen)", StructureLayout.MSGHDR_NAME_LENGTH),
          Map.entry("offsetof(struct msghdr, msg_iov)", StructureLayout.MSGHDR_VECTORS),
          Map.entry("offsetof(struct msghdr, msg_iovlen)", StructureLayout.MSGHDR_VECTOR_COUNT),
          Map.entry("sizeof(struct iovec)", StructureLayout.IOVEC_SIZE),
          Map.entry("offsetof(struct iovec, iov_base)", StructureLayout.IOVEC_BASE),
          Map.entry("offsetof(struct iovec, iov_len)", StructureLayout.IOVEC_LENGTH),
          Map.entry("sizeof(struct statx)", StructureLayout.STATX_SIZE),
          Map.entry("offsetof(struct statx, stx_ino)", StructureLayout.STATX_INODE),
          Map.entry("offsetof(struct statx, stx_dev_major)", StructureLayout.STATX_DEVICE_MAJOR),
          Map.entry("offsetof(struct statx, stx_dev_minor)", StructureLayout.STATX_DEVICE_MINOR));

  @ParameterizedTest
  @CsvSource({"X86_64, x86_64-linux-gnu-gcc", "AARCH64, aarch64-linux-gnu-gcc"})
  void isThatOfTheCompilerForBothArchitectures(
      Architecture architecture, String compiler, @TempDir Path directory) throws Exception {
    Map<String, Integer> all = new TreeMap<>(TABLE);
    all.put("O_DIRECTORY", architecture.directory());
    all.put("O_NOFOLLOW", architecture.noFollow());
    all.put("O_DIRECT", architecture.direct());
    all.put("O_CLOEXEC", Architecture.O_CLOEXEC);
    all.put("O_NONBLOCK", Architecture.O_NONBLOCK);
    all.put("O_PATH", Architecture.O_PATH);
    HeaderCheck.holds(
        compiler,
        """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <poll.h>
        #include <stddef.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/uio.h>
        #include <linux/netlink.h>
        """,
        all,
        directory);
  }
}
