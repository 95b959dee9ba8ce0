package io.dra4j.cli.input;

import io.dra4j.allocation.Allocator;
import io.dra4j.cel.CelEnvironment;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import io.dra4j.selector.SelectorCompiler;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Which features of which release of Kubernetes are on. */
public final class FeatureOptions {

  @Option(
      names = "--kubernetes",
      paramLabel = "VERSION",
      converter = VersionConverter.class,
      description =
          "The cluster's version, such as 1.34: only features that are on there by default."
              + " 1.38 also gives the answers of that release, any other those of 1.37.")
  private @Nullable KubernetesVersion version;

  @Option(
      names = "--features",
      paramLabel = "LIST",
      converter = FeatureSet.Converter.class,
      description =
          "Features that are on: all, none, or a list of NAME and NAME=false, which changes the"
              + " defaults of --kubernetes. Default: all, or those of --kubernetes.")
  private @Nullable FeatureSet features;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Whether no features were given by name. */
  public boolean areUnsaid() {
    return features == null;
  }

  /** Returns the release, if one was given. */
  public Optional<KubernetesVersion> version() {
    return Optional.ofNullable(version);
  }

  /** Returns the release whose answers are given. */
  public KubernetesVersion release() {
    return version().orElse(KubernetesVersion.DEFAULT);
  }

  /** Returns a compiler of the selectors that the scheduler of the release reads. */
  public CelSelectors selectors() {
    return CelSelectors.create(
        version == null ? CelEnvironment.stored() : CelEnvironment.stored(version));
  }

  /** Returns the features that are on. */
  public Set<Feature> features() {
    if (features == null) {
      return version == null ? Feature.kubernetes() : version.features();
    }
    try {
      return features.in(version);
    } catch (IllegalArgumentException e) {
      throw spec == null ? e : new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  /** Begins an allocator with these features, of this release. */
  public Allocator.Builder allocator(SelectorCompiler selectors) {
    return Allocator.builder().selectors(selectors).features(features()).release(release());
  }

  /** Reads a version. */
  static final class VersionConverter implements ITypeConverter<KubernetesVersion> {
    @Override
    public KubernetesVersion convert(String text) {
      return KubernetesVersion.parse(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "unknown version '" + text + "'; known are " + KubernetesVersion.known()));
    }
  }
}
