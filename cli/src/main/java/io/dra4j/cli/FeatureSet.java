package io.dra4j.cli;

import io.dra4j.model.Feature;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A choice of features on the command line: {@code all}, {@code none} or a comma-separated list.
 *
 * @param features those that are on
 */
record FeatureSet(Set<Feature> features) {

  /** Reads it. */
  static final class Converter implements ITypeConverter<FeatureSet> {
    @Override
    public FeatureSet convert(String text) {
      if (text.equals("all")) {
        return new FeatureSet(Feature.kubernetes());
      }
      Set<Feature> features = EnumSet.noneOf(Feature.class);
      if (!text.equals("none")) {
        for (String name : text.split(",", -1)) {
          features.add(
              Feature.byName(name.strip())
                  .orElseThrow(
                      () ->
                          new TypeConversionException(
                              "unknown feature '" + name + "'; known are " + known())));
        }
      }
      return new FeatureSet(features);
    }

    private static String known() {
      return Arrays.stream(Feature.values())
          .map(Feature::optionName)
          .collect(Collectors.joining(", "));
    }
  }
}
