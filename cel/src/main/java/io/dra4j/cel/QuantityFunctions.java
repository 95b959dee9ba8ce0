package io.dra4j.cel;

import static dev.cel.common.types.SimpleType.BOOL;
import static dev.cel.common.types.SimpleType.DOUBLE;
import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;
import static io.dra4j.cel.QuantityValue.TYPE;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.model.Quantity;

/** The functions on quantities, after {@code quantity.go} of the API server's CEL library. */
final class QuantityFunctions {

  private QuantityFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .global("quantity", "string_to_quantity", TYPE, STRING, String.class, QuantityFunctions::of)
        .global(
            "isQuantity",
            "is_quantity_string",
            BOOL,
            STRING,
            String.class,
            text -> Quantity.tryParse(text).isPresent())
        .global("sign", "quantity_sign", INT, TYPE, QuantityValue.class, q -> sign(q.quantity()))
        .member(
            "isInteger",
            "quantity_is_integer",
            BOOL,
            TYPE,
            QuantityValue.class,
            q -> q.quantity().isInteger())
        .member(
            "asInteger",
            "quantity_get_int",
            INT,
            TYPE,
            QuantityValue.class,
            QuantityFunctions::integer)
        .member(
            "asApproximateFloat",
            "quantity_get_float",
            DOUBLE,
            TYPE,
            QuantityValue.class,
            q -> q.quantity().asApproximateDouble());
    binary(library, "isGreaterThan", "quantity_is_greater_than", BOOL, (a, b) -> order(a, b) > 0);
    binary(library, "isLessThan", "quantity_is_less_than", BOOL, (a, b) -> order(a, b) < 0);
    binary(library, "compareTo", "quantity_compare_to", INT, (a, b) -> (long) order(a, b));
    binary(
        library,
        "add",
        "quantity_add",
        TYPE,
        (a, b) -> QuantityValue.calculated(a.quantity().add(b.quantity())));
    binary(
        library,
        "sub",
        "quantity_sub",
        TYPE,
        (a, b) -> QuantityValue.calculated(a.quantity().subtract(b.quantity())));
    library
        .member(
            "add",
            "quantity_add_int",
            TYPE,
            TYPE,
            QuantityValue.class,
            INT,
            Long.class,
            (a, b) -> QuantityValue.calculated(a.quantity().add(integer(b))))
        .member(
            "sub",
            "quantity_sub_int",
            TYPE,
            TYPE,
            QuantityValue.class,
            INT,
            Long.class,
            (a, b) -> QuantityValue.calculated(a.quantity().subtract(integer(b))));
  }

  private static void binary(
      FunctionLibrary.Builder library,
      String function,
      String overload,
      CelType result,
      CelFunctionOverload.Binary<QuantityValue, QuantityValue> body) {
    library.member(
        function, overload, result, TYPE, QuantityValue.class, TYPE, QuantityValue.class, body);
  }

  private static QuantityValue of(String text) {
    return new QuantityValue(
        Quantity.tryParse(text)
            .orElseThrow(() -> new CelInvalidArgumentException("not a quantity: " + text)));
  }

  private static Quantity integer(long value) {
    return Quantity.of(value, Quantity.Format.DECIMAL_EXPONENT);
  }

  private static long integer(QuantityValue value) {
    return value
        .quantity()
        .asInteger()
        .orElseThrow(
            () -> new CelInvalidArgumentException("cannot convert " + value + " to an integer"));
  }

  private static long sign(Quantity quantity) {
    return quantity.signum();
  }

  private static int order(QuantityValue a, QuantityValue b) {
    return a.quantity().compareTo(b.quantity());
  }
}
