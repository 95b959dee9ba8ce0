package io.dra4j.linux;

import java.util.Locale;

/**
 * The processor architectures, with the values that differ between them in the used part of the
 * kernel's interface.
 *
 * <p>These are flags of {@code open} and the number of a system call. Netlink messages, {@code
 * struct sockaddr_nl}, {@code struct pollfd} and {@code struct statx} ({@link StructureLayout})
 * have the same layout everywhere. The structure of {@code fstat} differs, so {@code statx} is
 * called instead.
 */
public enum Architecture {
  /** 64-bit x86 ({@code asm-generic/fcntl.h}). */
  X86_64(0x10000, 0x20000, 0x4000, 321),

  /** 64-bit Arm ({@code arch/arm64/include/uapi/asm/fcntl.h}). */
  AARCH64(0x4000, 0x8000, 0x10000, 280);

  /** Open for reading. */
  public static final int O_RDONLY = 0;

  /** Open for writing. */
  public static final int O_WRONLY = 1;

  /** Open for both. */
  public static final int O_RDWR = 2;

  /** Do not block. */
  public static final int O_NONBLOCK = 0x800;

  /** Close when another program is executed. */
  public static final int O_CLOEXEC = 0x80000;

  /** Open only the path, not the file. */
  public static final int O_PATH = 0x200000;

  private final int directory;
  private final int noFollow;
  private final int direct;
  private final int bpfCall;

  Architecture(int directory, int noFollow, int direct, int bpfCall) {
    this.directory = directory;
    this.noFollow = noFollow;
    this.direct = direct;
    this.bpfCall = bpfCall;
  }

  /**
   * {@return the architecture that this JVM runs on} All native access calls it first, because it
   * uses the kernel's structures of 64-bit architectures.
   *
   * @throws UnsupportedOperationException if it is neither of them, for example for a 32-bit JVM on
   *     a 64-bit machine; the message names the architecture
   */
  public static Architecture current() {
    return named(System.getProperty("os.arch", ""));
  }

  /**
   * {@return an architecture by its name}
   *
   * @param name the JVM's or kernel's name, for example {@code amd64} or {@code aarch64}
   * @throws UnsupportedOperationException if it is neither
   */
  public static Architecture named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "amd64", "x86_64", "x86-64" -> X86_64;
      case "aarch64", "arm64" -> AARCH64;
      default ->
          throw new UnsupportedOperationException(
              "architecture "
                  + name
                  + " is not supported: expected x86_64 or aarch64, with a 64-bit JVM");
    };
  }

  /** {@return the flag {@code O_DIRECTORY}: fail if the path is not a directory} */
  public int directory() {
    return directory;
  }

  /** {@return the flag {@code O_NOFOLLOW}: fail if the path is a symbolic link} */
  public int noFollow() {
    return noFollow;
  }

  /** {@return the flag {@code O_DIRECT}: do not cache} */
  public int direct() {
    return direct;
  }

  /** {@return {@code __NR_bpf} ({@code asm/unistd.h}), as the C library does not wrap this call} */
  public int bpfCall() {
    return bpfCall;
  }
}
