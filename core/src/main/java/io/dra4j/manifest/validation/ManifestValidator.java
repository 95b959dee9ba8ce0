package io.dra4j.manifest.validation;

import io.dra4j.common.KubernetesVersion;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.selector.SelectorCompiler;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Reports the problems for which the API server would reject manifests, with the place of each
 * problem. It corresponds to {@code kubectl apply --dry-run=server --validate=strict}, but needs no
 * server, and checks all objects at once. It checks objects as they are written, before defaults
 * are filled in and other versions are converted to v1. Immutable; thread-safe if its compiler is.
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
 * <p>{@link ValidationRule} is the list of the rules. Does not check conditions that depend on the
 * cluster or on earlier versions of an object: quotas, permissions, fields that must not change.
 * Checks whether a namespace allows {@code adminAccess} only if the files have the namespace.
 */
public final class ManifestValidator {

  /** The number of problems that are kept by default: {@value}. */
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
   * {@return a builder with defaults, such as a reader's limits and the first 1,000 problems}
   *
   * @param compiler compiles selectors like the API server for new objects; its cost estimates are
   *     compared with the limit
   */
  public static Builder builder(SelectorCompiler compiler) {
    return new Builder(Objects.requireNonNull(compiler, "compiler"));
  }

  /** {@return a validation of files that form one cluster, without files so far} */
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
   * {@return the problems of files that form one cluster}
   *
   * @param files YAML or JSON
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
     * @param limits the limits of the input
     * @return this builder
     */
    public Builder limits(ManifestLimits limits) {
      this.limits = Objects.requireNonNull(limits, "limits");
      return this;
    }

    /**
     * Sets the number of problems to keep; {@value ManifestValidator#MAX_PROBLEMS} unless set.
     *
     * @param problems the most problems to keep of all files together, the first ones; the others
     *     are counted
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
     * rules and the fields are always those of 1.37.
     *
     * @param version the release; 1.37 unless set
     * @return this builder
     */
    public Builder kubernetes(KubernetesVersion version) {
      this.release = Objects.requireNonNull(version, "version");
      return this;
    }

    /** {@return a validator with the options set so far} */
    public ManifestValidator build() {
      return new ManifestValidator(this);
    }
  }
}
