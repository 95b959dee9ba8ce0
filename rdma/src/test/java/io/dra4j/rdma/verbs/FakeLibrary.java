package io.dra4j.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A libibverbs of two devices, which the compiler makes of {@code verbs/fake.c}. */
final class FakeLibrary {

  private FakeLibrary() {}

  /** Compiles it with what shall go wrong; the name of the file is new to this process. */
  static VerbsLibrary.Loading load(Path directory, String... wrong)
      throws IOException, InterruptedException {
    String name = "libfake-" + String.join("-", wrong) + ".so";
    List<String> command =
        new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-Wall", "-Werror", "-O1"));
    for (String one : wrong) {
      command.add("-D" + one);
    }
    Path library = directory.resolve(name);
    command.addAll(
        List.of(
            "-Wl,-soname," + name,
            "-Wl,--version-script=" + copy("fake.map", directory),
            "-o",
            library.toString(),
            copy("fake.c", directory).toString()));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeThat(e).as("gcc").isNull();
      throw e;
    }
    String messages = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(messages).isZero();
    return VerbsLibrary.load(library.toString());
  }

  private static Path copy(String name, Path directory) throws IOException {
    Path copy = directory.resolve(name);
    try (InputStream text = FakeLibrary.class.getResourceAsStream("/verbs/" + name)) {
      Files.write(copy, Objects.requireNonNull(text).readAllBytes());
    }
    return copy;
  }
}
