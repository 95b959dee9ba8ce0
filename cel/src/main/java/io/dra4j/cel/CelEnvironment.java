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
 * Which variables and functions expressions may use: those of stored expressions, or those that the
 * API server lets users write anew, in a release of Kubernetes from 1.32 to 1.38. Immutable.
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
   * The environment in which the scheduler reads stored expressions: everything there is, whatever
   * features are on, so that no stored object stops to work.
   *
   * @return the environment
   */
  public static CelEnvironment stored() {
    return STORED;
  }

  /**
   * The environment in which the scheduler of a release reads stored expressions: everything that
   * this release has, whatever features are on. A function that came later is not there.
   *
   * @param version the release of Kubernetes
   * @return the environment
   */
  public static CelEnvironment stored(KubernetesVersion version) {
    return new CelEnvironment(EnvironmentVersion.storedIn(known(version)));
  }

  /**
   * The environment in which the API server of Kubernetes 1.37 reads the expressions of new or
   * changed objects.
   *
   * <p>{@link Feature#CONSUMABLE_CAPACITY} brings {@code device.allowMultipleAllocations}, {@link
   * Feature#LIST_TYPE_ATTRIBUTES} attributes that may be lists, with loops over them, the function
   * {@code includes} and derived attributes that are lists; all other features make no difference.
   * With both, expressions mean the same as stored ones.
   *
   * @param features the features that are on
   * @return the environment
   */
  public static CelEnvironment newExpressions(Set<Feature> features) {
    return newExpressions(KubernetesVersion.V1_37, features);
  }

  /**
   * The environment in which the API server of a release reads the expressions of new or changed
   * objects. Use it to learn on which clusters a class works: with {@link
   * KubernetesVersion#features()} it is what users of this release can write.
   *
   * @param version the release of Kubernetes
   * @param features the features that are on; those that the release has not make no difference
   * @return the environment
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
   * Lists what expressions of this environment may call, operators included.
   *
   * @return the functions, those of one name together and in the order in which they are tried
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

  /** Returns what it has. */
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
