package io.dra4j.cli.cluster;

import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.input.FeatureOptions;
import io.dra4j.cli.input.ManifestOptions;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.CommandUsage;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.task.SkyPilotTask;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.ResourceSlice;
import io.dra4j.scheduling.planning.ClusterChange;
import io.dra4j.selector.SelectorCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for questions about a hypothetical cluster, with objects added or removed. */
final class ChangeOptions {

  private static final String NODE_PREFIX = "node/";

  @Option(
      names = "--add",
      paramLabel = "FILE",
      description =
          "Answer as if the objects of this file were added to the cluster; repeatable. Its pods"
              + " queue after existing pods of the same priority.")
  private List<String> added = List.of();

  @Option(
      names = "--task",
      paramLabel = "FILE",
      description =
          "Answer as if this SkyPilot task were added to the cluster; repeatable. Each of"
              + " its nodes is a pod with the accelerators of the task and, with network_tier:"
              + " best, as many NICs.")
  private List<String> tasks = List.of();

  @Option(
      names = "--add-node",
      paramLabel = "TEMPLATE=N",
      description =
          "Answer as if N nodes like TEMPLATE were added to the cluster; repeatable. TEMPLATE is a"
              + " Node of the input, or a file with one Node and its ResourceSlices.")
  private List<String> addedNodes = List.of();

  @Option(
      names = "--without",
      paramLabel = "node/NAME",
      description =
          "Answer as if this node and its devices were removed; repeatable. Its pods need"
              + " other nodes.")
  private List<String> removed = List.of();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  private final Map<String, Integer> templates = new LinkedHashMap<>();

  /** Checks rules that picocli does not; throws {@code ParameterException} if a value is wrong. */
  void check() {
    for (String name : removed) {
      if (!name.startsWith(NODE_PREFIX) || name.length() == NODE_PREFIX.length()) {
        throw CommandUsage.bad(
            spec, "--without: expected node/NAME, found '" + Terminal.safe(name) + "'");
      }
    }
    for (String pair : addedNodes) {
      int equals = pair.lastIndexOf('=');
      String count = pair.substring(equals + 1);
      if (equals < 1
          || !count.matches("[1-9][0-9]{0,5}")
          || Integer.parseInt(count) > ClusterChange.MAX_ADDED) {
        throw CommandUsage.bad(
            spec,
            "--add-node: expected TEMPLATE=N with N from 1 to %d, found '%s'"
                .formatted(ClusterChange.MAX_ADDED, Terminal.safe(pair)));
      }
      String template = pair.substring(0, equals);
      if (templates.put(template, Integer.valueOf(count)) != null) {
        throw CommandUsage.bad(
            spec, "--add-node: found two numbers for " + Terminal.safe(template));
      }
    }
  }

  /** Reads the cluster and changes it; empty if that is impossible, which is reported. */
  Optional<ClusterInput> read(
      Terminal terminal,
      ManifestOptions manifests,
      SelectorCompiler selectors,
      FeatureOptions features) {
    return manifests.readAll(
        terminal,
        selectors,
        features,
        added,
        read -> changed(read, terminal, manifests, selectors));
  }

  private Optional<List<Manifest>> changed(
      List<Manifest> read, Terminal terminal, ManifestOptions files, SelectorCompiler selectors) {
    if (removed.isEmpty() && templates.isEmpty() && tasks.isEmpty()) {
      return Optional.of(read);
    }
    IdentityHashMap<KubernetesObject, Manifest> known = new IdentityHashMap<>();
    read.forEach(manifest -> known.put(manifest.object(), manifest));
    List<KubernetesObject> objects = new ArrayList<>();
    read.forEach(manifest -> objects.add(manifest.object()));
    return withNodes(objects, terminal, files, selectors)
        .flatMap(after -> withoutNodes(after, terminal))
        .flatMap(after -> withTasks(after, terminal, selectors))
        .map(
            after ->
                after.stream().map(object -> known.computeIfAbsent(object, Manifest::of)).toList());
  }

  private Optional<List<KubernetesObject>> withNodes(
      List<KubernetesObject> objects,
      Terminal terminal,
      ManifestOptions files,
      SelectorCompiler selectors) {
    List<KubernetesObject> after = objects;
    for (Map.Entry<String, Integer> wanted : templates.entrySet()) {
      Optional<Template> template =
          inInput(wanted.getKey(), objects)
              .or(() -> inFile(wanted.getKey(), terminal, files, selectors));
      if (template.isEmpty()) {
        return Optional.empty();
      }
      after =
          ClusterChange.withNodes(
              after, template.get().node(), template.get().slices(), wanted.getValue());
    }
    return Optional.of(after);
  }

  private Optional<List<KubernetesObject>> withoutNodes(
      List<KubernetesObject> objects, Terminal terminal) {
    List<KubernetesObject> after = objects;
    Set<String> gone = new HashSet<>();
    for (String name : removed) {
      String node = name.substring(NODE_PREFIX.length());
      List<String> nodes = namesOfNodes(after);
      if (gone.add(node) && !nodes.contains(node)) {
        terminal.problem(
            "--without: no node \"%s\" in the input; nodes: %s"
                .formatted(
                    Terminal.safe(node),
                    nodes.isEmpty() ? "none" : Terminal.safe(CommandMessages.some(nodes))));
        return Optional.empty();
      } else if (nodes.contains(node)) {
        after = ClusterChange.withoutNode(after, node);
      }
    }
    return Optional.of(after);
  }

  private Optional<List<KubernetesObject>> withTasks(
      List<KubernetesObject> objects, Terminal terminal, SelectorCompiler selectors) {
    if (tasks.isEmpty()) {
      return Optional.of(objects);
    }
    List<KubernetesObject> after = new ArrayList<>(objects);
    TaskJob jobs = new TaskJob(objects, selectors);
    for (String file : tasks) {
      Optional<List<KubernetesObject>> made = jobOf(file, jobs, terminal);
      if (made.isEmpty()) {
        return Optional.empty();
      }
      after.addAll(made.get());
    }
    return Optional.of(after);
  }

  private static Optional<List<KubernetesObject>> jobOf(
      String file, TaskJob jobs, Terminal terminal) {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      TaskJob.Made made = jobs.of(SkyPilotTask.read(file, in));
      made.problem().ifPresent(terminal::problem);
      return made.problem().isPresent() ? Optional.empty() : Optional.of(made.objects());
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(problem.toString()));
    } catch (IOException | InvalidPathException e) {
      terminal.problem("--task: cannot read " + Terminal.safe(file));
    }
    return Optional.empty();
  }

  private record Template(Node node, List<ResourceSlice> slices) {}

  private static Optional<Template> inInput(String name, List<KubernetesObject> objects) {
    return objects.stream()
        .filter(object -> object instanceof Node node && node.name().equals(name))
        .findFirst()
        .map(node -> new Template((Node) node, slicesOf(objects)));
  }

  private static Optional<Template> inFile(
      String file, Terminal terminal, ManifestOptions files, SelectorCompiler selectors) {
    Optional<List<Manifest>> read = files.readApart(terminal, file, selectors);
    if (read.isEmpty()) {
      terminal.problem(
          "--add-node: expected a Node of the input or a file, found '"
              + Terminal.safe(file)
              + "'");
      return Optional.empty();
    }
    List<KubernetesObject> objects = new ArrayList<>();
    read.get().forEach(manifest -> objects.add(manifest.object()));
    List<KubernetesObject> nodes = objects.stream().filter(Node.class::isInstance).toList();
    if (nodes.size() != 1) {
      terminal.problem(
          "--add-node: %s: expected one Node and its ResourceSlices, found %s"
              .formatted(Terminal.safe(file), CommandMessages.count(nodes.size(), "Node")));
      return Optional.empty();
    }
    return Optional.of(new Template((Node) nodes.get(0), slicesOf(objects)));
  }

  private static List<ResourceSlice> slicesOf(List<KubernetesObject> objects) {
    return objects.stream()
        .filter(ResourceSlice.class::isInstance)
        .map(ResourceSlice.class::cast)
        .toList();
  }

  private static List<String> namesOfNodes(List<KubernetesObject> objects) {
    return objects.stream()
        .filter(Node.class::isInstance)
        .map(object -> ((Node) object).name())
        .toList();
  }
}
