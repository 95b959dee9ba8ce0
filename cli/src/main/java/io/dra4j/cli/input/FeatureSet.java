package io.dra4j.cli.input;

import io.dra4j.common.Feature;
import io.dra4j.common.KubernetesVersion;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A choice of features on the command line: {@code all}, {@code none}, or a list as for
 * kube-scheduler, {@code NAME,NAME=true,NAME=false}. With a release of Kubernetes, a list changes
 * the defaults of the release. Without a release, a list enables only the features that it names; a
 * list with only {@code NAME=false} enables all others.
 *
 * @param start the features that are on before the switches
 * @param switches features that are switched on or off
 */
record FeatureSet(Start start, Map<Feature, Boolean> switches) {

  /** The features that are on before the switches. */
  enum Start {
    ALL,
    NONE,
    DEFAULT
  }

  /**
   * Returns the features that are on in a release, or in any if it is null. Throws {@code
   * IllegalArgumentException} if one is switched on that the release does not have.
   */
  Set<Feature> in(@Nullable KubernetesVersion release) {
    Set<Feature> available =
        release == null ? Set.of(Feature.values()) : release.availableFeatures();
    Set<Feature> features = EnumSet.noneOf(Feature.class);
    features.addAll(startingFrom(release));
    switches.forEach(
        (feature, on) -> {
          if (!on) {
            features.remove(feature);
          } else if (available.contains(feature)) {
            features.add(feature);
          } else {
            throw new IllegalArgumentException(
                "Kubernetes " + release + " has no feature " + feature.optionName());
          }
        });
    return features;
  }

  private Set<Feature> startingFrom(@Nullable KubernetesVersion release) {
    return switch (start) {
      case ALL -> release == null ? Feature.kubernetes() : release.availableFeatures();
      case NONE -> Set.of();
      case DEFAULT -> {
        if (release != null) {
          yield release.features();
        }
        yield switches.containsValue(true) ? Set.of() : Feature.kubernetes();
      }
    };
  }

  /** Reads a choice of features. */
  static final class Converter implements ITypeConverter<FeatureSet> {
    @Override
    public FeatureSet convert(String text) {
      if (text.equals("all")) {
        return new FeatureSet(Start.ALL, Map.of());
      }
      if (text.equals("none")) {
        return new FeatureSet(Start.NONE, Map.of());
      }
      Map<Feature, Boolean> switches = new EnumMap<>(Feature.class);
      for (String item : text.split(",", -1)) {
        String[] parts = item.strip().split("=", 2);
        switches.put(feature(parts[0]), parts.length == 1 || isTrue(item, parts[1]));
      }
      return new FeatureSet(Start.DEFAULT, switches);
    }

    private static Feature feature(String name) {
      return Feature.byName(name)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "unknown feature '" + name + "'; known features: " + known()));
    }

    private static boolean isTrue(String item, String value) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "true" -> true;
        case "false" -> false;
        default ->
            throw new TypeConversionException(
                "'" + item.strip() + "': expected NAME, NAME=true or NAME=false");
      };
    }

    private static String known() {
      return Arrays.stream(Feature.values())
          .map(Feature::optionName)
          .collect(Collectors.joining(", "));
    }
  }
}
