package io.dra4j.netlink.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dra4j.linux.NativeAccess;
import io.dra4j.spi.TopologyReaders;
import io.dra4j.topology.PciAddress;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The readers of netlink where everything is a module: a process of its own for each case. */
class ModulePathTest {

  private static final Pattern NEEDED =
      Pattern.compile("(jackson|guava|failureaccess|jnr-|jffi|asm|jspecify|snakeyaml).*\\.jar");

  private static final Pattern NATIVE = Pattern.compile("(jnr-|jffi|asm|jspecify).*\\.jar");

  private static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> jars(Pattern names) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> names.matcher(Path.of(entry).getFileName().toString()).matches())
        .toList();
  }

  private static List<String> run(List<String> path, String modules, String... arguments)
      throws Exception {
    Path netlink = placeOf(NativeAccess.class);
    assumeTrue(
        Files.isRegularFile(netlink) || Files.exists(netlink.resolve("module-info.class")),
        "compiled without module descriptors");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--module-path"));
    command.add(path.stream().collect(Collectors.joining(File.pathSeparator)));
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=org.jnrproject.jffi");
    }
    command.add(modules);
    command.addAll(List.of("-cp", placeOf(ModuleProbe.class).toString()));
    command.add(ModuleProbe.class.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output.lines().filter(line -> !line.startsWith("WARNING: ")).toList();
  }

  private static List<String> all() {
    List<String> all = new ArrayList<>(jars(NEEDED));
    all.add(placeOf(NativeAccess.class).toString());
    all.add(placeOf(TopologyReaders.class).toString());
    all.add(placeOf(PciAddress.class).toString());
    return all;
  }

  @Test
  void whoUsesBothModulesFindsReaderAndWatcher() throws Exception {
    assertThat(run(all(), "--add-modules=io.dra4j.spi,io.dra4j.netlink"))
        .containsExactly("watchers: 1", "loopback: true");
  }

  @Test
  void whoHasTheModuleAndDoesNotUseItIsToldHow() throws Exception {
    assertThat(run(all(), "--add-modules=io.dra4j.spi"))
        .containsExactly(
            "watchers: 0",
            "loopback: false",
            "module io.dra4j.netlink is on the module path, but the program does not use it:"
                + " require it, or start Java with --add-modules io.dra4j.netlink");
  }

  @Test
  void theModuleStandsAlone() throws Exception {
    List<String> path = new ArrayList<>(jars(NATIVE));
    path.add(placeOf(NativeAccess.class).toString());

    assertThat(run(path, "--add-modules=io.dra4j.netlink", "alone"))
        .containsExactly("close: -9", "module io.dra4j.netlink");
  }
}
