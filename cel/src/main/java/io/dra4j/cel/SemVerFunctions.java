package io.dra4j.cel;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;
import static io.dra4j.cel.SemVerValue.TYPE;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.model.SemVer;
import java.util.Optional;

/** The functions on versions, after {@code semverlib.go} of the API server's CEL library. */
final class SemVerFunctions {

  private SemVerFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .global(
            "semver", "string_to_semver", TYPE, STRING, String.class, text -> version(text, false))
        .global(
            "semver",
            "string_bool_to_semver",
            TYPE,
            STRING,
            String.class,
            BOOL,
            Boolean.class,
            SemVerFunctions::version)
        .global(
            "isSemver",
            "is_semver_string",
            BOOL,
            STRING,
            String.class,
            text -> read(text, false).isPresent())
        .global(
            "isSemver",
            "is_semver_string_bool",
            BOOL,
            STRING,
            String.class,
            BOOL,
            Boolean.class,
            (text, normalize) -> read(text, normalize).isPresent())
        .member("major", "semver_major", INT, TYPE, SemVerValue.class, v -> v.version().major())
        .member("minor", "semver_minor", INT, TYPE, SemVerValue.class, v -> v.version().minor())
        .member("patch", "semver_patch", INT, TYPE, SemVerValue.class, v -> v.version().patch());
    binary(library, "isGreaterThan", "semver_is_greater_than", BOOL, (a, b) -> order(a, b) > 0);
    binary(library, "isLessThan", "semver_is_less_than", BOOL, (a, b) -> order(a, b) < 0);
    binary(library, "compareTo", "semver_compare_to", INT, (a, b) -> (long) order(a, b));
  }

  private static void binary(
      FunctionLibrary.Builder library,
      String function,
      String overload,
      CelType result,
      CelFunctionOverload.Binary<SemVerValue, SemVerValue> body) {
    library.member(
        function, overload, result, TYPE, SemVerValue.class, TYPE, SemVerValue.class, body);
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
