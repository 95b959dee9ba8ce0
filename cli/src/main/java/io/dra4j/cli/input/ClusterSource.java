package io.dra4j.cli.input;

import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.manifest.ManifestException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The live cluster in the place of files. */
public final class ClusterSource {

  /** Its name in messages, where those of files have the path. */
  public static final String NAME = "cluster";

  @Option(
      names = "--from-cluster",
      description =
          "Read the live cluster instead of FILEs: that of the current context of the kubeconfig"
              + " file, or the one in which the command runs. Nothing in it is changed.")
  private boolean isChosen;

  @Mixin private ClusterOptions options = new ClusterOptions();

  /** Reads a cluster that is written as one manifest. */
  public interface Reader<T> {
    T read(InputStream in) throws IOException, ManifestException;
  }

  /** Whether the live cluster is read. */
  public boolean isChosen() {
    return isChosen;
  }

  void choose() {
    isChosen = true;
  }

  /** The answer does not depend on workloads: no right to read them is needed. */
  public void leaveOutWorkloads() {
    options.leaveOutWorkloads();
  }

  /** Which cluster it is. */
  public ClusterOptions options() {
    return options;
  }

  /** What is wrong with the choice of files and cluster; null if nothing is. */
  public @Nullable String misuse(List<String> files, String fileOption) {
    if (files.isEmpty() && !isChosen && !fileOption.startsWith("--")) {
      return "Missing required parameter: '%s', or --from-cluster".formatted(fileOption);
    } else if (!files.isEmpty() && isChosen) {
      return "--from-cluster reads the live cluster, not '" + files.get(0) + "'";
    } else if (!isChosen && options.isGiven()) {
      return options.given() + " is about --from-cluster";
    }
    return null;
  }

  /**
   * Reads the live cluster.
   *
   * @return what the reader makes of it; empty if it cannot be read, which is reported
   */
  public <T> Optional<T> read(Terminal terminal, Reader<T> reader) {
    Optional<Path> captured = options.captureToFile(terminal);
    if (captured.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(captured.get())) {
      return Optional.of(reader.read(in));
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(ObjectPlaces.line(problem)));
    } catch (IOException e) {
      terminal.problem(NAME + ": " + IoMessages.describe(e));
    } finally {
      ClusterOptions.delete(captured.get());
    }
    return Optional.empty();
  }
}
