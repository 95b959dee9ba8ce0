package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher of the ZIP: if Java cannot start, the exit code is 69, with a message. */
class LauncherTest {

  @TempDir Path home;

  @BeforeEach
  void unpack() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash");
    for (String file : new String[] {"bin/dra4j", "libexec/launcher.sh"}) {
      Path copy = home.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of("src/dist", file), copy);
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" ")));
    try (OutputStream file = Files.newOutputStream(home.resolve("dra4j-cli.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      jar.finish();
    }
  }

  private Cli run(String script, Map<String, String> variables)
      throws IOException, InterruptedException {
    Path out = home.resolve("out");
    Path err = home.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/bash", "-c", script)
            .directory(Files.createDirectories(home.resolve("work")).toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    for (String name : new String[] {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "XDG_CACHE_HOME"}) {
      builder.environment().remove(name);
    }
    builder.environment().put("HOME", ""); // no cache
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("DRA4J", home.resolve("bin/dra4j").toString());
    builder.environment().putAll(variables);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Cli(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  @Test
  void theCommandStarts() throws Exception {
    Cli cli = run("bash \"$DRA4J\" --version", Map.of());
    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.out()).startsWith("dra4j ");
  }

  @ParameterizedTest
  @CsvSource({
    "DRA4J_JAVA_OPTS, -Xnope, -Xnope",
    "JAVA_TOOL_OPTIONS, -XX:+NoSuchFlag, NoSuchFlag",
    "JDK_JAVA_OPTIONS, --no-such-option, --no-such-option",
    "DRA4J_JAVA_OPTS, -XX:+UseParallelGC -XX:+UseSerialGC, UseSerialGC",
    "DRA4J_JAVA_OPTS, -Xms2g -Xmx1g, -Xms2g"
  })
  void anOptionThatJavaRefusesIs69(String variable, String value, String named) throws Exception {
    Cli cli = run("bash \"$DRA4J\" --version", Map.of(variable, value));
    assertThat(cli.code()).as(cli.err()).isEqualTo(69);
    assertThat(cli.out()).isEmpty();
    assertThat(cli.errLines()).hasSize(1);
    assertThat(cli.err()).contains("dra4j: Java does not start with " + variable + "=", named);
  }

  @Test
  void optionsThatJavaTakesChangeNothing() throws Exception {
    Cli cli = run("bash \"$DRA4J\" --version", Map.of("DRA4J_JAVA_OPTS", "-Xmx64m -Da=b"));
    assertThat(cli.code()).as(cli.err()).isZero();
  }

  @Test
  void aWorkingDirectoryThatIsGoneIs69() throws Exception {
    Cli cli = run("mkdir gone && cd gone && rmdir ../gone && bash \"$DRA4J\" --version", Map.of());
    assertThat(cli.code()).as(cli.err()).isEqualTo(69);
    assertThat(cli.err()).contains("the working directory is gone");
  }

  @Test
  void tooLittleMemoryIs69() throws Exception {
    Cli cli = run("ulimit -v 200000; bash \"$DRA4J\" --version", Map.of());
    assertThat(cli.code()).as(cli.err()).isEqualTo(69);
    assertThat(cli.err()).contains("dra4j: Java does not start: ");
  }

  @Test
  void aJarThatIsMissingIs69() throws Exception {
    Files.delete(home.resolve("dra4j-cli.jar"));
    Cli cli = run("bash \"$DRA4J\" --version", Map.of());
    assertThat(cli.code()).as(cli.err()).isEqualTo(69);
    assertThat(cli.err()).contains("no file " + home);
  }
}
