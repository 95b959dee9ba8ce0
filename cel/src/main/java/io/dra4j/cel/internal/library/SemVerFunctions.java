package io.dra4j.cel.internal.library;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.cel.internal.text.GoVersions;
import io.dra4j.cel.internal.value.SemVerValue;
import io.dra4j.model.SemVer;
import java.util.Optional;

/** The functions on versions, after {@code semverlib.go} of the API server's CEL library. */
final class SemVerFunctions {

  private static final FunctionCost READ = new FunctionCost(Estimates.text(0), CallCost.FIRST);

  private static final Class<SemVerValue> VERSION = SemVerValue.class;

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      compareTo
        semver_compare_to kubernetes.Semver.(kubernetes.Semver) int
      isGreaterThan
        semver_is_greater_than kubernetes.Semver.(kubernetes.Semver) bool
      isLessThan
        semver_is_less_than kubernetes.Semver.(kubernetes.Semver) bool
      isSemver
        is_semver_string (string) bool
        is_semver_string_bool (string, bool) bool
      major
        semver_major kubernetes.Semver.() int
      minor
        semver_minor kubernetes.Semver.() int
      patch
        semver_patch kubernetes.Semver.() int
      semver
        string_to_semver (string) kubernetes.Semver
        string_bool_to_semver (string, bool) kubernetes.Semver
      """;

  private SemVerFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("string_to_semver", READ, String.class, text -> version(text, false))
        .add("string_bool_to_semver", READ, String.class, Boolean.class, SemVerFunctions::version)
        .add("is_semver_string", READ, String.class, text -> read(text, false).isPresent())
        .add(
            "is_semver_string_bool",
            READ,
            String.class,
            Boolean.class,
            (text, normalize) -> read(text, normalize).isPresent())
        .add("semver_major", FunctionCost.ONE, VERSION, v -> v.version().major())
        .add("semver_minor", FunctionCost.ONE, VERSION, v -> v.version().minor())
        .add("semver_patch", FunctionCost.ONE, VERSION, v -> v.version().patch());
    binary(library, "semver_is_greater_than", (a, b) -> order(a, b) > 0);
    binary(library, "semver_is_less_than", (a, b) -> order(a, b) < 0);
    binary(library, "semver_compare_to", (a, b) -> (long) order(a, b));
  }

  private static void binary(
      FunctionLibrary.Builder library,
      String overload,
      CelFunctionOverload.Binary<SemVerValue, SemVerValue> body) {
    library.add(overload, FunctionCost.ONE, VERSION, VERSION, body);
  }

  private static Optional<SemVer> read(String text, boolean normalize) {
    return normalize ? SemVer.tryParseLenient(text) : SemVer.tryParse(text);
  }

  private static SemVerValue version(String text, boolean normalize) {
    return new SemVerValue(
        read(text, normalize)
            .orElseThrow(
                () ->
                    new CelInvalidArgumentException(
                        normalize
                            ? GoVersions.lenientProblem(text)
                            : GoVersions.semanticProblem(text))));
  }

  private static int order(SemVerValue a, SemVerValue b) {
    return a.version().compareTo(b.version());
  }
}
