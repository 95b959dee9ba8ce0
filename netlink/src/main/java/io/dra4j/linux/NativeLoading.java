package io.dra4j.linux;

import io.dra4j.linux.jnr.JnrAccess;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Loads native code once. If that failed, each further request explains the failure. */
final class NativeLoading {

  private static final String ENABLING =
      "--enable-native-access=ALL-UNNAMED (jffi on the class path) or"
          + " --enable-native-access=org.jnrproject.jffi (on the module path), or from a jar whose"
          + " manifest says Enable-Native-Access: ALL-UNNAMED";

  private static final NativeLoading DONE = load();

  private final @Nullable NativeAccess access;
  private final @Nullable Throwable failure;

  private NativeLoading(@Nullable NativeAccess access, @Nullable Throwable failure) {
    this.access = access;
    this.failure = failure;
  }

  /** Returns the port to the kernel that this process runs on. */
  static NativeAccess access() {
    if (DONE.access != null) {
      return DONE.access;
    }
    Throwable cause = DONE.failure == null ? new LinkageError() : DONE.failure;
    throw new NativeUnavailableException(explain(cause, Path.of("/")), cause);
  }

  private static NativeLoading load() {
    try {
      requireLinux(System.getProperty("os.name", ""));
      Architecture.current();
      return new NativeLoading(new JnrAccess(), null);
    } catch (Throwable e) { // a static block would lose the cause
      return new NativeLoading(null, e);
    }
  }

  private static void requireLinux(String system) {
    if (!system.equals("Linux")) {
      throw new UnsupportedOperationException(
          "operating system " + system + ": only Linux is supported");
    }
  }

  /** {@return why native code did not load, and what to do; {@code root} is the file system's} */
  static String explain(Throwable failure, Path root) {
    if (failure instanceof UnsupportedOperationException e) {
      return String.valueOf(e.getMessage());
    }
    if (isDenied(failure)) {
      return "the JVM denies native access: start it with " + ENABLING;
    }
    if (hasOnlyMusl(root)) {
      return "jffi's native code needs glibc, and the C library here is musl: use an image with "
          + "glibc, for example of Debian or UBI instead of Alpine ("
          + reason(failure)
          + ")";
    }
    return "jffi's native code cannot be loaded. It is unpacked into "
        + System.getProperty("jffi.extract.dir", System.getProperty("java.io.tmpdir"))
        + ", which must be writable and not mounted noexec: set another directory with "
        + "-Djffi.extract.dir, or unpack jni/"
        + (Architecture.current() == Architecture.X86_64 ? "x86_64" : "aarch64")
        + "-Linux/libjffi-1.2.so of jffi-native.jar once and set its directory with "
        + "-Djffi.boot.library.path ("
        + reason(failure)
        + ")"
        + (isEnabled() ? "" : ". If the JVM denies native access, start it with " + ENABLING);
  }

  /** Returns the first cause; jffi puts whole stack traces into its messages. */
  private static String reason(Throwable failure) {
    Throwable first = failure;
    for (int depth = 0; first.getCause() != null && depth < 20; depth++) {
      first = first.getCause();
    }
    return first.toString().lines().findFirst().orElse("");
  }

  /** {@return whether the JVM denied native access (JEP 472); jffi gives only the trace as text} */
  private static boolean isDenied(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof IllegalCallerException
          || String.valueOf(e.getMessage()).contains("IllegalCallerException")) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether jffi may load native code ({@code Module.isNativeAccessEnabled}, JDK 22)} */
  private static boolean isEnabled() {
    try {
      ClassLoader loader = NativeLoading.class.getClassLoader();
      Module jffi = Class.forName("com.kenai.jffi.Foreign", false, loader).getModule();
      return (boolean) Module.class.getMethod("isNativeAccessEnabled").invoke(jffi);
    } catch (ReflectiveOperationException e) { // older JVMs deny nothing
      return true;
    }
  }

  private static boolean hasOnlyMusl(Path root) {
    return has(root.resolve("lib"), "ld-musl-*.so.1")
        && !has(root.resolve("lib"), "ld-linux-*.so*")
        && !has(root.resolve("lib64"), "ld-linux-*.so*");
  }

  private static boolean has(Path directory, String pattern) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, pattern)) {
      return found.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }
}
