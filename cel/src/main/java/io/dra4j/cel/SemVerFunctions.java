package io.dra4j.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.model.SemVer;
import java.util.Optional;

/** The functions on versions, after {@code semverlib.go} of the API server's CEL library. */
final class SemVerFunctions {

  private static final Class<SemVerValue> VERSION = SemVerValue.class;

  private SemVerFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("string_to_semver", String.class, text -> version(text, false))
        .add("string_bool_to_semver", String.class, Boolean.class, SemVerFunctions::version)
        .add("is_semver_string", String.class, text -> read(text, false).isPresent())
        .add(
            "is_semver_string_bool",
            String.class,
            Boolean.class,
            (text, normalize) -> read(text, normalize).isPresent())
        .add("semver_major", VERSION, v -> v.version().major())
        .add("semver_minor", VERSION, v -> v.version().minor())
        .add("semver_patch", VERSION, v -> v.version().patch());
    binary(library, "semver_is_greater_than", (a, b) -> order(a, b) > 0);
    binary(library, "semver_is_less_than", (a, b) -> order(a, b) < 0);
    binary(library, "semver_compare_to", (a, b) -> (long) order(a, b));
  }

  private static void binary(
      FunctionLibrary.Builder library,
      String overload,
      CelFunctionOverload.Binary<SemVerValue, SemVerValue> body) {
    library.add(overload, VERSION, VERSION, body);
  }

  private static Optional<SemVer> read(String text, boolean normalize) {
    return normalize ? SemVer.tryParseLenient(text) : SemVer.tryParse(text);
  }

  private static SemVerValue version(String text, boolean normalize) {
    return new SemVerValue(
        read(text, normalize)
            .orElseThrow(() -> new CelInvalidArgumentException("not a semantic version: " + text)));
  }

  private static int order(SemVerValue a, SemVerValue b) {
    return a.version().compareTo(b.version());
  }
}
