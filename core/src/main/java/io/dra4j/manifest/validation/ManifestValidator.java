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
 *     ManifestValidator.builder(
 *             CelSelectors.create(CelEnvironment.newExpressions(Feature.kubernetes())))
 *         .build();
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

  private ManifestValidator(Builder builder) {
    this.reader = ManifestReader.builder().withoutSources().limits(builder.limits).build();
    this.compiler = builder.compiler;
    this.release = builder.release;
    this.maxProblems = builder.maxProblems;
  }

  /**
   * Starts with a validator that has the limits of a reader and keeps the first 1,000 problems.
   *
   * @param compiler compiles selectors as the API server does that of new objects; its estimates of
   *     their cost are compared with the limit
   * @return a builder, in which every option has a default
   */
  public static Builder builder(SelectorCompiler compiler) {
    return new Builder(Objects.requireNonNull(compiler, "compiler"));
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

  /** Collects the options of a validator. */
  public static final class Builder {

    private final SelectorCompiler compiler;
    private ManifestLimits limits = ManifestLimits.DEFAULT;
    private KubernetesVersion release = KubernetesVersion.V1_37;
    private int maxProblems = MAX_PROBLEMS;

    private Builder(SelectorCompiler compiler) {
      this.compiler = compiler;
    }

    /**
     * Sets the limits for files; {@link ManifestLimits#DEFAULT} unless set.
     *
     * @param limits what is refused as too large
     * @return this builder
     */
    public Builder limits(ManifestLimits limits) {
      this.limits = Objects.requireNonNull(limits, "limits");
      return this;
    }

    /**
     * Sets how many problems are kept; {@value ManifestValidator#MAX_PROBLEMS} unless set.
     *
     * @param problems how many are kept of all files together, the first ones; the others are
     *     counted
     * @return this builder
     * @throws IllegalArgumentException if the number is not positive
     */
    public Builder maxProblems(int problems) {
      if (problems < 1) {
        throw new IllegalArgumentException("expected at least 1 problem, found " + problems);
      }
      this.maxProblems = problems;
      return this;
    }

    /**
     * Sets the release of the cluster: versions of the API that it does not have are problems. The
     * rules, and which fields there are, stay those of 1.37.
     *
     * @param version the release; 1.37 unless set
     * @return this builder
     */
    public Builder kubernetes(KubernetesVersion version) {
      this.release = Objects.requireNonNull(version, "version");
      return this;
    }

    /**
     * Makes the validator.
     *
     * @return the validator
     */
    public ManifestValidator build() {
      return new ManifestValidator(this);
    }
  }
}
