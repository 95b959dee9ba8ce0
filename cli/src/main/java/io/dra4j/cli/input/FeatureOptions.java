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

/** The options for the release of Kubernetes and its features. */
public final class FeatureOptions {

  @Option(
      names = "--kubernetes",
      paramLabel = "VERSION",
      converter = VersionConverter.class,
      description =
          "Enables the features that are on by default in this Kubernetes version, such as 1.34."
              + " With 1.38, answers follow 1.38; with every other version, 1.37.")
  private @Nullable KubernetesVersion version;

  @Option(
      names = "--features",
      paramLabel = "LIST",
      converter = FeatureSet.Converter.class,
      description =
          "Enabled features: all, none, or a list of NAME and NAME=false, which changes the"
              + " defaults of --kubernetes. Default: all, or the defaults of --kubernetes.")
  private @Nullable FeatureSet features;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** Returns whether {@code --features} is missing. */
  public boolean areUnsaid() {
    return features == null;
  }

  /** Returns the release, if one was given. */
  public Optional<KubernetesVersion> version() {
    return Optional.ofNullable(version);
  }

  /** Returns the release that answers follow. */
  public KubernetesVersion release() {
    return version().orElse(KubernetesVersion.DEFAULT);
  }

  /** Returns a compiler for the selectors of the scheduler of the release. */
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

  /** Starts an allocator with these features and this release. */
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
                      "unknown version '"
                          + text
                          + "'; known versions: "
                          + KubernetesVersion.known()));
    }
  }
}
