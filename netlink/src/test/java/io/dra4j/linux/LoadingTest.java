package io.dra4j.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a program is told that cannot load native code, each time it asks. */
class LoadingTest {

  private static final String EXCEPTION = "NativeUnavailableException: ";

  /** Where nobody may make files, not even root: jffi also tries the working directory. */
  private static final Path UNWRITABLE = Path.of("/proc");

  @TempDir Path directory;

  private static List<String> java(String... options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // What the JVM itself has to say of this machine is no part of the answer.
    command.addAll(List.of("-Xlog:disable", "-XX:-PrintWarnings", "-XX:-UsePerfData"));
    if (Runtime.version().feature() >= 24 && !String.join(" ", options).contains("native-access")) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    command.addAll(Arrays.asList(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LoadingProbe.class.getName());
    return command;
  }

  private static List<String> lines(List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(UNWRITABLE.toFile());
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output.lines().filter(line -> !line.startsWith("WARNING: ")).toList();
  }

  private static void assertExplained(List<String> lines, String... parts) {
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).startsWith(EXCEPTION).contains(parts);
    assertThat(lines.get(1)).isEqualTo(lines.get(0));
  }

  @Test
  void aTemporaryDirectoryThatIsNotWritableIsNamed() throws Exception {
    assertExplained(
        lines(java("-Djava.io.tmpdir=" + UNWRITABLE)),
        "unpacked into /proc,",
        "-Djffi.extract.dir",
        "-Djffi.boot.library.path");
  }

  @Test
  void theAdviceHelps() throws Exception {
    String library =
        "jni/"
            + (Architecture.current() == Architecture.X86_64 ? "x86_64" : "aarch64")
            + "-Linux/libjffi-1.2.so";
    try (InputStream packed = LoadingTest.class.getClassLoader().getResourceAsStream(library)) {
      assertThat(packed).as(library).isNotNull();
      Files.copy(packed, directory.resolve("libjffi-1.2.so"));
    }
    String unwritable = "-Djava.io.tmpdir=" + UNWRITABLE;

    assertThat(lines(java(unwritable, "-Djffi.extract.dir=" + directory)))
        .containsExactly("close: -9", "close: -9");
    assertThat(lines(java(unwritable, "-Djffi.boot.library.path=" + directory)))
        .containsExactly("close: -9", "close: -9");
  }

  private static List<String> inMountNamespace(String preparation, List<String> command) {
    List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-ec"));
    all.add(preparation + " \"$@\"");
    all.add("sh");
    all.addAll(command);
    return all;
  }

  @Test
  @EnabledIf("mayMount")
  void aTemporaryDirectoryMountedNoexecIsNamed() throws Exception {
    assertExplained(
        lines(
            inMountNamespace(
                "mount -t tmpfs -o noexec tmpfs " + directory + ";",
                java("-Djava.io.tmpdir=" + directory))),
        "unpacked into " + directory,
        "noexec");
  }

  @Test
  @EnabledIf("mayMount")
  void aReadOnlyRootIsExplained() throws Exception {
    assertExplained(
        lines(
            inMountNamespace(
                "mount --rbind / "
                    + directory
                    + "; mount -o remount,bind,ro "
                    + directory
                    + "; exec chroot "
                    + directory,
                java())),
        "unpacked into " + System.getProperty("java.io.tmpdir"),
        "-Djffi.boot.library.path");
  }

  static boolean mayMount() throws InterruptedException {
    try {
      return new ProcessBuilder("unshare", "-m", "mount", "-t", "tmpfs", "x", "/mnt")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // without util-linux
    }
  }

  @Test
  void aJvmThatDeniesNativeAccessIsExplained() throws Exception {
    if (Runtime.version().feature() < 24) { // none of them can deny it
      assertThat(lines(java())).containsExactly("close: -9", "close: -9");
      return;
    }
    assertExplained(
        lines(java("--illegal-native-access=deny")),
        "--enable-native-access=ALL-UNNAMED",
        "--enable-native-access=org.jnrproject.jffi",
        "Enable-Native-Access");
  }

  @ParameterizedTest
  @CsvSource({
    "-Dos.arch=i386,  architecture i386",
    "-Dos.arch=arm,   architecture arm",
    "-Dos.arch=s390x, architecture s390x",
    "-Dos.name=AIX,   operating system AIX",
  })
  void machinesThatAreNotKnownAreRefusedByName(String option, String expected) throws Exception {
    assertExplained(lines(java(option)), expected);
  }

  @Test
  void muslIsNamed() throws IOException {
    Files.createDirectory(directory.resolve("lib"));
    Files.createFile(directory.resolve("lib/ld-musl-x86_64.so.1"));
    Throwable failure = new UnsatisfiedLinkError("ld-linux-x86-64.so.2: No such file");

    assertThat(NativeLoading.explain(failure, directory)).contains("needs glibc", "musl");

    Files.createDirectory(directory.resolve("lib64")); // both are there
    Files.createFile(directory.resolve("lib64/ld-linux-x86-64.so.2"));
    assertThat(NativeLoading.explain(failure, directory)).doesNotContain("musl");
  }
}
