package io.dra4j.cli.input;

import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.SizeConverter;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.manifest.Manifest;
import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestException.Problem;
import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.validation.ClaimInspector;
import io.dra4j.manifest.validation.PlacementInspector;
import io.dra4j.model.DeviceTaintRule;
import io.dra4j.model.ObjectMeta;
import io.dra4j.selector.SelectorCompiler;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options for the files of a cluster and for reading them. */
public final class ManifestOptions {

  /** A pod or a claim in the notation of kubectl. */
  private static final Pattern REFERENCE =
      Pattern.compile("(po|pods?|resourceclaims?|claims?)/(.+)");

  /** A job in the notation of kubectl. */
  private static final Pattern JOB =
      Pattern.compile(
          "(po|pods?|sts|statefulsets?|jobs?|deploy|deployments?|rs|replicasets?|mpijobs?|jobsets?"
              + "|lws|leaderworkersets?)/(.+)");

  /** The short names of kubectl. */
  private static final Map<String, String> SHORT_NAMES =
      Map.of(
          "po", "pod",
          "claim", "resourceclaim",
          "sts", "statefulset",
          "deploy", "deployment",
          "rs", "replicaset",
          "lws", "leaderworkerset");

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Manifests, YAML or JSON; - is standard input.")
  private List<String> files = List.of();

  @Mixin private ClusterSource source = new ClusterSource();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description =
          "The namespace of pod/NAME, claim/NAME or a job; by default that of the context."
              + " Without such a name: answer only about the pods and claims of this namespace;"
              + " devices that other namespaces use stay in use.")
  private @Nullable String namespace;

  @Option(
      names = "--max-file-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      description = "Refuse larger files, for example 1Gi. Default: 256Mi.")
  private @Nullable Long maxFileSize;

  @Option(
      names = "--strict",
      description =
          "Refuse input with unknown or ignored fields or objects, and everything that the API"
              + " server would reject, including ResourceSlices.")
  private boolean strict;

  private boolean isInputRead;

  public List<String> files() {
    return files;
  }

  /** {@return the options of the live cluster} */
  public ClusterOptions cluster() {
    return source.options();
  }

  /**
   * {@return the pod or claim, such as {@code pod/NAME}, that this call removes from the files;
   * empty if none is named} If no files are left, it is an object of the live cluster.
   */
  public Optional<ObjectReference> takeReference() {
    Optional<ObjectReference> taken = take(REFERENCE);
    if (taken.isPresent() && taken.get().isPod()) {
      source.leaveOutWorkloads(); // the pod is placed next, before pods that workloads create
    }
    return taken;
  }

  /**
   * {@return the job, such as {@code statefulset/NAME}, that this call removes from the files;
   * empty if none is named} If no files are left, it is an object of the live cluster.
   */
  public Optional<ObjectReference> takeJob() {
    return take(JOB);
  }

  /**
   * Removes the first argument that has the form and does not exist as a file; kind and name are
   * one argument or two.
   *
   * @throws KubernetesClientException if the namespace is that of the context, and no configuration
   *     names a context
   */
  private Optional<ObjectReference> take(Pattern form) {
    for (int i = 0; i < files.size(); i++) {
      String file = files.get(i);
      boolean isSplit =
          i + 1 < files.size()
              && !file.contains("/")
              && form.matcher(file + "/" + files.get(i + 1)).matches()
              && !Files.exists(Path.of(files.get(i + 1)));
      Matcher reference = form.matcher(isSplit ? file + "/" + files.get(i + 1) : file);
      if (reference.matches() && !Files.exists(Path.of(file))) {
        List<String> others = new ArrayList<>(files);
        others.subList(i, i + (isSplit ? 2 : 1)).clear();
        files = others;
        if (others.isEmpty()) {
          source.choose();
        }
        String word = reference.group(1);
        String singular = word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
        String name = reference.group(2);
        int slash = name.indexOf('/');
        return Optional.of(
            new ObjectReference(
                SHORT_NAMES.getOrDefault(word, SHORT_NAMES.getOrDefault(singular, singular)),
                slash < 0 ? namespaceOrDefault() : name.substring(0, slash),
                name.substring(slash + 1)));
      }
    }
    return Optional.empty();
  }

  private String namespaceOrDefault() {
    if (namespace != null) {
      return namespace;
    }
    return source.isChosen() ? source.options().namespace() : ObjectMeta.DEFAULT_NAMESPACE;
  }

  /**
   * Returns the scope of the question: the pods and claims of a namespace if it is given, or all.
   */
  public QuestionScope scope() {
    return namespace == null ? QuestionScope.ALL : QuestionScope.ofNamespace(namespace);
  }

  /** Returns whether the live cluster is read. */
  public boolean isFromCluster() {
    return source.isChosen();
  }

  /**
   * An object in the notation of kubectl.
   *
   * @param kind the kind in lower case
   * @param namespace the namespace
   * @param name the name
   */
  public record ObjectReference(String kind, String namespace, String name) {

    /** Returns whether it is a pod. */
    public boolean isPod() {
      return kind.equals("pod");
    }

    @Override
    public String toString() {
      return kind + " " + namespace + "/" + name;
    }
  }

  /** Returns the problem of the choice of files and cluster; null if there is none. */
  public @Nullable String misuse() {
    return source.misuse(files, "FILE");
  }

  /** A change of the objects for a question about a hypothetical cluster. */
  public interface Change {

    /**
     * Returns the objects after the change; empty if the change is impossible, which is reported.
     */
    Optional<List<Manifest>> of(List<Manifest> manifests);
  }

  /** Reads all files as one cluster; empty if one of them is bad, which is reported. */
  public Optional<ClusterInput> readAll(
      Terminal terminal, SelectorCompiler selectors, FeatureOptions features) {
    return readAll(terminal, selectors, features, List.of(), Optional::of);
  }

  /**
   * {@return the changed cluster of all files; empty if a file is bad, which is reported}
   *
   * @param added further files, whose objects come last
   * @param change the change of the objects, applied before they are checked as one cluster
   */
  public Optional<ClusterInput> readAll(
      Terminal terminal,
      SelectorCompiler selectors,
      FeatureOptions features,
      List<String> added,
      Change change) {
    PlacementInspector placement = new PlacementInspector();
    List<Manifest> manifests = new ArrayList<>();
    boolean good = true;
    if (source.isChosen()) {
      Optional<List<Manifest>> read =
          source.read(
              terminal, in -> reader(terminal, selectors, placement).read(ClusterSource.NAME, in));
      if (read.isEmpty()) {
        return Optional.empty();
      }
      manifests.addAll(read.get());
    }
    List<String> all = new ArrayList<>(files);
    all.addAll(added);
    for (String file : all) {
      try {
        manifests.addAll(read(terminal, file, selectors, placement));
      } catch (ManifestException e) {
        e.problems().forEach(problem -> terminal.problem(ObjectPlaces.line(problem)));
        good = false;
      }
    }
    List<Problem> refused = refused(terminal, placement.problems());
    refused.forEach(problem -> terminal.problem(ObjectPlaces.line(problem)));
    good &= refused.isEmpty();
    for (String problem : InputWarnings.ofNames(manifests)) {
      terminal.problem(problem);
      good = false;
    }
    Optional<List<Manifest>> changed = good ? change.of(manifests) : Optional.empty();
    return changed.flatMap(after -> cluster(terminal, after, features));
  }

  private Optional<ClusterInput> cluster(
      Terminal terminal, List<Manifest> manifests, FeatureOptions features) {
    try {
      List<String> differences = FeatureWarnings.beforePoolsWereWhole(manifests, features);
      ClusterInput cluster = ClusterInput.of(manifests).withDifferences(differences);
      ObjectPlaces places = new ObjectPlaces(manifests);
      List<String> notes = new ArrayList<>(FeatureWarnings.off(manifests, features));
      notes.addAll(differences);
      FeatureWarnings.unserved(manifests, features)
          .forEach(one -> notes.add(ObjectPlaces.line(one)));
      cluster.queue().notes().forEach(note -> notes.add(places.placed(note)));
      notes.forEach(note -> terminal.problem(strict ? note : "warning: " + note));
      return strict && !notes.isEmpty() ? Optional.empty() : Optional.of(cluster);
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(ObjectPlaces.line(problem)));
      return Optional.empty();
    }
  }

  /** Reads one file that is not part of the cluster; empty if it is bad, which is reported. */
  public Optional<List<Manifest>> readApart(
      Terminal terminal, String file, SelectorCompiler selectors) {
    PlacementInspector placement = new PlacementInspector();
    try {
      List<Manifest> manifests = read(terminal, file, selectors, placement);
      List<Problem> refused = refused(terminal, placement.problems());
      refused.forEach(problem -> terminal.problem(ObjectPlaces.line(problem)));
      return refused.isEmpty() ? Optional.of(manifests) : Optional.empty();
    } catch (ManifestException e) {
      e.problems().forEach(problem -> terminal.problem(ObjectPlaces.line(problem)));
      return Optional.empty();
    }
  }

  /** Reads one file as a separate cluster, for {@code --all-nodes}. */
  public List<Manifest> read(
      Terminal terminal, String file, SelectorCompiler selectors, FeatureOptions features)
      throws ManifestException {
    PlacementInspector placement = new PlacementInspector();
    List<Manifest> manifests = read(terminal, file, selectors, placement);
    List<Problem> warnings = new ArrayList<>(placement.problems());
    warnings.addAll(FeatureWarnings.unserved(manifests, features));
    List<String> notes = new ArrayList<>(FeatureWarnings.off(manifests, features));
    notes.addAll(FeatureWarnings.beforePoolsWereWhole(manifests, features));
    long rules = manifests.stream().filter(one -> one.object() instanceof DeviceTaintRule).count();
    if (rules > 0) { // the reference does not support them
      notes.add("ignored with --all-nodes: " + CommandMessages.count(rules, "DeviceTaintRule"));
    }
    Origin origin = Origin.ofFile(file.equals("-") ? "standard input" : file);
    notes.forEach(note -> warnings.add(new Problem(origin, SourcePosition.UNKNOWN, "", "", note)));
    List<Problem> refused = refused(terminal, warnings);
    if (!refused.isEmpty()) {
      throw new ManifestException(refused);
    }
    return manifests;
  }

  /** Returns the problems if the input is refused; otherwise prints them and returns none. */
  private List<Problem> refused(Terminal terminal, List<Problem> problems) {
    if (strict) {
      return problems;
    }
    problems.forEach(problem -> terminal.problem("warning: " + ObjectPlaces.line(problem)));
    return List.of();
  }

  private List<Manifest> read(
      Terminal terminal, String file, SelectorCompiler selectors, PlacementInspector placement)
      throws ManifestException {
    if (file.equals("-") && isInputRead) { // it would be empty, without any message
      throw new ManifestException(
          List.of(
              new Problem(
                  Origin.ofFile("standard input"),
                  SourcePosition.UNKNOWN,
                  "",
                  "",
                  "can be read only once, found - twice")));
    }
    isInputRead |= file.equals("-");
    return reader(terminal, selectors, placement).read(file);
  }

  private InputReader reader(
      Terminal terminal, SelectorCompiler selectors, PlacementInspector placement) {
    ManifestLimits limits = ManifestLimits.DEFAULT;
    if (maxFileSize != null) {
      limits = new ManifestLimits(maxFileSize, limits.maxDepth(), limits.maxAliasBytes());
    }
    ManifestInspector claims = claims(selectors, strict);
    ManifestReader reader =
        ManifestReader.builder()
            .limits(limits)
            .inspector(
                (object, findings) -> {
                  claims.inspect(object, findings);
                  placement.inspect(object, findings);
                })
            .build();
    return new InputReader(terminal, reader, strict);
  }

  /**
   * Returns the inspector of manifests. Slices are inspected only in strict mode, because that
   * takes as long as reading them.
   */
  public static ManifestInspector claims(SelectorCompiler selectors, boolean strict) {
    ClaimInspector claims = new ClaimInspector(selectors);
    return strict ? claims.withSlices() : claims;
  }
}
