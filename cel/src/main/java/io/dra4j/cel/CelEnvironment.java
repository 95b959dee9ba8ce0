package io.dra4j.cel;

import io.dra4j.cel.internal.check.Environment;
import io.dra4j.cel.internal.check.EnvironmentVersion;
import io.dra4j.cel.internal.check.TypeNames;
import io.dra4j.cel.internal.library.Functions;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The variables and functions that expressions may use, either in stored expressions or in new
 * expressions that users write, in a release of Kubernetes from 1.32 to 1.38. Immutable.
 *
 * <p>Source: {@code apiserver/pkg/cel/environment} and {@code newCompiler} in {@code
 * dynamic-resource-allocation/cel/compile.go}.
 */
public final class CelEnvironment {

  private static final CelEnvironment STORED = new CelEnvironment(EnvironmentVersion.STORED);

  private final EnvironmentVersion edition;

  private CelEnvironment(EnvironmentVersion edition) {
    this.edition = edition;
  }

  /**
   * {@return the environment in which the scheduler reads stored expressions: all variables and
   * functions, independent of features, so that stored objects continue to work}
   */
  public static CelEnvironment stored() {
    return STORED;
  }

  /**
   * {@return the environment in which the scheduler of a release reads stored expressions} It has
   * all variables and functions of this release, independent of features, and none of later
   * releases.
   *
   * @param version the release of Kubernetes
   */
  public static CelEnvironment stored(KubernetesVersion version) {
    return new CelEnvironment(EnvironmentVersion.storedIn(known(version)));
  }

  /**
   * Returns the environment in which the API server of Kubernetes 1.37 reads the expressions of new
   * or changed objects.
   *
   * <p>{@link Feature#CONSUMABLE_CAPACITY} adds {@code device.allowMultipleAllocations}. {@link
   * Feature#LIST_TYPE_ATTRIBUTES} adds attributes that are lists, with loops over them, the
   * function {@code includes} and derived attributes that are lists. All other features have no
   * effect. With both, expressions mean the same as stored ones.
   *
   * @param features the enabled features
   * @return the environment
   */
  public static CelEnvironment newExpressions(Set<Feature> features) {
    return newExpressions(KubernetesVersion.V1_37, features);
  }

  /**
   * {@return the environment in which the API server of a release reads the expressions of new or
   * changed objects} Use it to find out on which clusters a class works: with {@link
   * KubernetesVersion#features()} it has everything that users of this release can write.
   *
   * @param version the release of Kubernetes
   * @param features the enabled features; features that the release lacks have no effect
   */
  public static CelEnvironment newExpressions(KubernetesVersion version, Set<Feature> features) {
    Objects.requireNonNull(features, "features");
    return new CelEnvironment(
        EnvironmentVersion.newIn(
            known(version),
            features.contains(Feature.CONSUMABLE_CAPACITY),
            features.contains(Feature.LIST_TYPE_ATTRIBUTES)));
  }

  private static KubernetesVersion known(KubernetesVersion version) {
    return Objects.requireNonNull(version, "version");
  }

  /**
   * {@return the functions that expressions of this environment may call, including operators,
   * grouped by name and in the order in which they are tried}
   */
  public List<CelFunction> functions() {
    List<CelFunction> functions = new ArrayList<>();
    for (Functions.Function function : Environment.functions(edition).values()) {
      for (Functions.Overload overload : function.overloads()) {
        functions.add(
            new CelFunction(
                function.name(),
                overload.id(),
                overload.member(),
                overload.parameters().stream().map(TypeNames::of).toList(),
                TypeNames.of(overload.result())));
      }
    }
    return List.copyOf(functions);
  }

  /** Returns the edition of the environment. */
  EnvironmentVersion edition() {
    return edition;
  }

  @Override
  public String toString() {
    if (edition.stored()) {
      return "stored expressions of Kubernetes " + edition.version();
    }
    return "new expressions of Kubernetes "
        + edition.version()
        + (edition.multipleAllocations() ? " with " + Feature.CONSUMABLE_CAPACITY.optionName() : "")
        + (edition.listAttributes() ? " with " + Feature.LIST_TYPE_ATTRIBUTES.optionName() : "");
  }
}
