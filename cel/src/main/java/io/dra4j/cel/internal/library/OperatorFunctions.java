package io.dra4j.cel.internal.library;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import io.dra4j.cel.internal.value.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operators, and the functions that work like them: {@code Planner} makes nodes for these. No
 * library has to be loaded for them.
 */
public final class OperatorFunctions {

  private static final long FORMAT_LENGTH = 64;

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      !_
        logical_not (bool) bool
      -_
        negate_double (double) double
        negate_int64 (int) int
      @in
        in_list (A, list(A)) bool
        in_map (A, map(A,B)) bool
      @not_strictly_false
        not_strictly_false (bool) bool
      _!=_
        not_equals (A, A) bool
      _%_
        modulo_int64 (int, int) int
        modulo_uint64 (uint, uint) uint
      _&&_
        logical_and (bool, bool) bool
      _*_
        multiply_double (double, double) double
        multiply_int64 (int, int) int
        multiply_uint64 (uint, uint) uint
      _+_
        add_bytes (bytes, bytes) bytes
        add_double (double, double) double
        add_duration_duration (google.protobuf.Duration, google.protobuf.Duration) google.protobuf.Duration
        add_duration_timestamp (google.protobuf.Duration, google.protobuf.Timestamp) google.protobuf.Timestamp
        add_timestamp_duration (google.protobuf.Timestamp, google.protobuf.Duration) google.protobuf.Timestamp
        add_int64 (int, int) int
        add_list (list(A), list(A)) list(A)
        add_string (string, string) string
        add_uint64 (uint, uint) uint
      _-_
        subtract_double (double, double) double
        subtract_duration_duration (google.protobuf.Duration, google.protobuf.Duration) google.protobuf.Duration
        subtract_int64 (int, int) int
        subtract_timestamp_duration (google.protobuf.Timestamp, google.protobuf.Duration) google.protobuf.Timestamp
        subtract_timestamp_timestamp (google.protobuf.Timestamp, google.protobuf.Timestamp) google.protobuf.Duration
        subtract_uint64 (uint, uint) uint
      _/_
        divide_double (double, double) double
        divide_int64 (int, int) int
        divide_uint64 (uint, uint) uint
      _<=_
        less_equals_bool (bool, bool) bool
        less_equals_int64 (int, int) bool
        less_equals_int64_double (int, double) bool
        less_equals_int64_uint64 (int, uint) bool
        less_equals_uint64 (uint, uint) bool
        less_equals_uint64_double (uint, double) bool
        less_equals_uint64_int64 (uint, int) bool
        less_equals_double (double, double) bool
        less_equals_double_int64 (double, int) bool
        less_equals_double_uint64 (double, uint) bool
        less_equals_string (string, string) bool
        less_equals_bytes (bytes, bytes) bool
        less_equals_timestamp (google.protobuf.Timestamp, google.protobuf.Timestamp) bool
        less_equals_duration (google.protobuf.Duration, google.protobuf.Duration) bool
      _<_
        less_bool (bool, bool) bool
        less_int64 (int, int) bool
        less_int64_double (int, double) bool
        less_int64_uint64 (int, uint) bool
        less_uint64 (uint, uint) bool
        less_uint64_double (uint, double) bool
        less_uint64_int64 (uint, int) bool
        less_double (double, double) bool
        less_double_int64 (double, int) bool
        less_double_uint64 (double, uint) bool
        less_string (string, string) bool
        less_bytes (bytes, bytes) bool
        less_timestamp (google.protobuf.Timestamp, google.protobuf.Timestamp) bool
        less_duration (google.protobuf.Duration, google.protobuf.Duration) bool
      _==_
        equals (A, A) bool
      _>=_
        greater_equals_bool (bool, bool) bool
        greater_equals_int64 (int, int) bool
        greater_equals_int64_double (int, double) bool
        greater_equals_int64_uint64 (int, uint) bool
        greater_equals_uint64 (uint, uint) bool
        greater_equals_uint64_double (uint, double) bool
        greater_equals_uint64_int64 (uint, int) bool
        greater_equals_double (double, double) bool
        greater_equals_double_int64 (double, int) bool
        greater_equals_double_uint64 (double, uint) bool
        greater_equals_string (string, string) bool
        greater_equals_bytes (bytes, bytes) bool
        greater_equals_timestamp (google.protobuf.Timestamp, google.protobuf.Timestamp) bool
        greater_equals_duration (google.protobuf.Duration, google.protobuf.Duration) bool
      _>_
        greater_bool (bool, bool) bool
        greater_int64 (int, int) bool
        greater_int64_double (int, double) bool
        greater_int64_uint64 (int, uint) bool
        greater_uint64 (uint, uint) bool
        greater_uint64_double (uint, double) bool
        greater_uint64_int64 (uint, int) bool
        greater_double (double, double) bool
        greater_double_int64 (double, int) bool
        greater_double_uint64 (double, uint) bool
        greater_string (string, string) bool
        greater_bytes (bytes, bytes) bool
        greater_timestamp (google.protobuf.Timestamp, google.protobuf.Timestamp) bool
        greater_duration (google.protobuf.Duration, google.protobuf.Duration) bool
      _?._
        select_optional_field (dyn, string) optional_type(V)
      _?_:_
        conditional (bool, A, A) A
      _[?_]
        list_optindex_optional_int (list(V), int) optional_type(V)
        optional_list_optindex_optional_int (optional_type(list(V)), int) optional_type(V)
        map_optindex_optional_value (map(K,V), K) optional_type(V)
        optional_map_optindex_optional_value (optional_type(map(K,V)), K) optional_type(V)
      _[_]
        index_list (list(A), int) A
        index_map (map(A,B), A) B
        optional_list_index_int (optional_type(list(V)), int) optional_type(V)
        optional_map_index_value (optional_type(map(K,V)), K) optional_type(V)
      __not_strictly_false__
        __not_strictly_false__ (bool) bool
      _in_
        in_list (A, list(A)) bool
        in_map (A, map(A,B)) bool
      _||_
        logical_or (bool, bool) bool
      dyn
        to_dyn (A) dyn
      in
        in_list (A, list(A)) bool
        in_map (A, map(A,B)) bool
      or
        optional_or_optional optional_type(V).(optional_type(V)) optional_type(V)
      orValue
        optional_orValue_value optional_type(V).(V) V
      size
        size_bytes (bytes) int
        bytes_size bytes.() int
        size_list (list(A)) int
        list_size list(A).() int
        size_map (map(A,B)) int
        map_size map(A,B).() int
        size_string (string) int
        string_size string.() int
      type
        type (A) type(A)
      """;

  private static final CallCost SMALLER =
      CallCost.before((a, b) -> CallCost.traverse(Values.smallerSize(a, b)));
  private static final CallCost BOTH =
      CallCost.before((a, b) -> CallCost.traverse(Values.size(a) + Values.size(b)));
  private static final CallCost ELEMENTS = CallCost.before((a, b) -> Values.size(b));

  private OperatorFunctions() {}

  /** Estimates what an operator costs at worst, without its arguments. */
  public static CallEstimate estimate(String function, String overload, List<Argument> args) {
    if (function.equals("_==_")) {
      CallEstimate equal = equal(args.get(0), args.get(1));
      if (equal != null) {
        return equal;
      }
    }
    return switch (overload) {
      case "in_list" -> new CallEstimate(args.get(1).sizeOrUnknown().times(1.0));
      case "add_string", "add_bytes" -> {
        Estimate size = args.get(0).sizeOrUnknown().plus(args.get(1).sizeOrUnknown());
        yield new CallEstimate(size.times(Estimates.TEXT), size);
      }
      case "add_list" ->
          new CallEstimate(
              Estimate.ONE, args.get(0).sizeOrUnknown().plus(args.get(1).sizeOrUnknown()));
      case "equals",
          "not_equals",
          "less_string",
          "less_equals_string",
          "greater_string",
          "greater_equals_string",
          "less_bytes",
          "less_equals_bytes",
          "greater_bytes",
          "greater_equals_bytes" -> {
        long left = args.get(0).sizeOrUnknown().max();
        long right = args.get(1).sizeOrUnknown().max();
        long max = Long.compareUnsigned(left, right) <= 0 ? left : right;
        yield new CallEstimate(new Estimate(max == 0 ? 0 : 1, max).times(Estimates.TEXT));
      }
      default -> CallEstimate.ONE;
    };
  }

  private static @Nullable CallEstimate equal(Argument left, Argument right) {
    CelType type = left.type();
    if (type.kind() != CelKind.OPAQUE || !type.name().equals(right.type().name())) {
      return null;
    }
    return switch (type.name()) {
      case "kubernetes.NamedFormat" ->
          new CallEstimate(new Estimate(1, FORMAT_LENGTH).times(Estimates.TEXT));
      case "kubernetes.URL" -> {
        Estimate size = right.size();
        yield new CallEstimate(
            new Estimate(1, size == null ? 1 : size.max()).times(Estimates.TEXT));
      }
      case "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver" -> CallEstimate.ONE;
      default -> type.name().startsWith("kubernetes.authorization.") ? CallEstimate.ONE : null;
    };
  }

  /**
   * Returns what an operator costs when it is evaluated.
   *
   * @param overload its only possible overload, or an empty text if there are several
   */
  public static CallCost cost(String overload) {
    return switch (overload) {
      case "in_list" -> ELEMENTS;
      case "add_string", "add_bytes" -> BOTH;
      case "equals",
          "not_equals",
          "less_string",
          "less_equals_string",
          "greater_string",
          "greater_equals_string",
          "less_bytes",
          "less_equals_bytes",
          "greater_bytes",
          "greater_equals_bytes" ->
          SMALLER;
      default -> CallCost.ONE;
    };
  }
}
