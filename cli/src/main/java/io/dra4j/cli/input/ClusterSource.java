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

/** The options for reading the live cluster instead of files. */
public final class ClusterSource {

  /** The name of the live cluster in messages, in the place of the path of a file. */
  public static final String NAME = "cluster";

  @Option(
      names = "--from-cluster",
      description =
          "Read the live cluster instead of FILEs: the cluster of the current context of"
              + " the kubeconfig file, or the cluster in which the command runs. Changes nothing"
              + " in it.")
  private boolean isChosen;

  @Mixin private ClusterOptions options = new ClusterOptions();

  /** Reads a cluster from one manifest. */
  public interface Reader<T> {
    T read(InputStream in) throws IOException, ManifestException;
  }

  /** Returns whether the live cluster is read. */
  public boolean isChosen() {
    return isChosen;
  }

  void choose() {
    isChosen = true;
  }

  /** Leaves out workloads, on which the answer does not depend; needs no permission for them. */
  public void leaveOutWorkloads() {
    options.leaveOutWorkloads();
  }

  /** Returns the options that select the cluster. */
  public ClusterOptions options() {
    return options;
  }

  /** Returns the problem of the choice of files and cluster; null if there is none. */
  public @Nullable String misuse(List<String> files, String fileOption) {
    if (files.isEmpty() && !isChosen && !fileOption.startsWith("--")) {
      return "Missing required parameter: '%s', or --from-cluster".formatted(fileOption);
    } else if (!files.isEmpty() && isChosen) {
      return "--from-cluster reads the live cluster, not '" + files.get(0) + "'";
    } else if (!isChosen && options.isGiven()) {
      return options.given() + " requires --from-cluster";
    }
    return null;
  }

  /** {@return what the reader reads from the cluster; empty if that fails, which is reported} */
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
