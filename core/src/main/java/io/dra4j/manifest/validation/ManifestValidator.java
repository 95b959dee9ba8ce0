package io.dra4j.manifest.validation;

import io.dra4j.common.KubernetesVersion;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.selector.SelectorCompiler;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Says what the API server would refuse in manifests, with the place of each problem: what {@code
 * kubectl apply --dry-run=server --validate=strict} says without a server, and of all objects at
 * once. Looked at is what is written, before defaults are filled in and other versions are turned
 * into v1. Immutable; thread-safe if its compiler is.
 *
 * <pre>{@code
 * ManifestValidator validator =
 *     ManifestValidator.create(
 *         CelSelectors.create(CelEnvironment.newExpressions(Feature.kubernetes())));
 * ValidationReport report = validator.validate(Path.of("claims.yaml"), Path.of("classes.yaml"));
 * report.problems().forEach(System.out::println);
 * }</pre>
 *
 * <p>{@link ValidationRule} is the list of the rules. Not looked for is what depends on the cluster
 * or on earlier versions of an object: quotas, permissions, fields that must not change. Whether a
 * namespace allows {@code adminAccess} is looked for where the files have the namespace.
 */
public final class ManifestValidator {

  /** So many problems are kept unless another number is said: {@value}. */
  public static final int MAX_PROBLEMS = 1_000;

  private final ManifestReader reader;
  private final SelectorCompiler compiler;
  private final KubernetesVersion release;
  private final int maxProblems;

  private ManifestValidator(
      ManifestReader reader,
      SelectorCompiler compiler,
      KubernetesVersion release,
      int maxProblems) {
    this.reader = reader;
    this.compiler = compiler;
    this.release = release;
    this.maxProblems = maxProblems;
  }

  /**
   * Makes a validator with the limits of a reader that keeps the first 1,000 problems.
   *
   * @param compiler compiles selectors as the API server does that of new objects; its estimates of
   *     their cost are compared with the limit
   * @return the validator
   */
  public static ManifestValidator create(SelectorCompiler compiler) {
    Objects.requireNonNull(compiler, "compiler");
    return new ManifestValidator(
        ManifestReader.create().withoutSources(), compiler, KubernetesVersion.V1_37, MAX_PROBLEMS);
  }

  /**
   * Makes the same validator with other limits for files.
   *
   * @param limits what is refused as too large
   * @return the validator
   */
  public ManifestValidator withLimits(ManifestLimits limits) {
    Objects.requireNonNull(limits, "limits");
    return new ManifestValidator(reader.withLimits(limits), compiler, release, maxProblems);
  }

  /**
   * Makes the same validator, but it keeps more or fewer problems.
   *
   * @param problems how many are kept of all files together, the first ones; the others are counted
   * @return the validator
   * @throws IllegalArgumentException if the number is not positive
   */
  public ManifestValidator withMaxProblems(int problems) {
    if (problems < 1) {
      throw new IllegalArgumentException("expected at least 1 problem, found " + problems);
    }
    return new ManifestValidator(reader, compiler, release, problems);
  }

  /**
   * Makes the same validator, but for clusters of an older release: versions of the API that it
   * does not have are problems. The rules, and which fields there are, stay those of 1.37.
   *
   * @param version the release of the cluster; 1.37 unless said
   * @return the validator
   */
  public ManifestValidator withKubernetes(KubernetesVersion version) {
    Objects.requireNonNull(version, "version");
    return new ManifestValidator(reader, compiler, version, maxProblems);
  }

  /**
   * Starts to look at files that make one cluster together.
   *
   * @return a validation without files
   */
  public Validation start() {
    ObjectRules rules = new ObjectRules(compiler);
    ServedVersions served = new ServedVersions(release);
    return new Validation(
        reader,
        (object, findings) -> {
          served.inspect(object, findings);
          rules.inspect(object, findings);
        },
        maxProblems);
  }

  /**
   * Looks at files that make one cluster together.
   *
   * @param files YAML or JSON
   * @return what is wrong with them
   */
  public ValidationReport validate(Path... files) {
    Objects.requireNonNull(files, "files");
    Validation validation = start();
    for (Path file : files) {
      validation.add(file);
    }
    return validation.report();
  }
}
