package io.dra4j.cel;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.model.Quantity;
import java.util.function.Supplier;

/** The functions on quantities, after {@code quantity.go} of the API server's CEL library. */
final class QuantityFunctions {

  private static final Class<QuantityValue> QUANTITY = QuantityValue.class;

  private QuantityFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .add("string_to_quantity", String.class, QuantityFunctions::of)
        .add("is_quantity_string", String.class, text -> Quantity.tryParse(text).isPresent())
        .add("quantity_sign", QUANTITY, q -> (long) q.quantity().signum())
        .add("quantity_is_integer", QUANTITY, q -> q.quantity().isInteger())
        .add("quantity_get_int", QUANTITY, QuantityFunctions::integer)
        .add("quantity_get_float", QUANTITY, q -> q.quantity().asApproximateDouble());
    binary(library, "quantity_is_greater_than", (a, b) -> order(a, b) > 0);
    binary(library, "quantity_is_less_than", (a, b) -> order(a, b) < 0);
    binary(library, "quantity_compare_to", (a, b) -> (long) order(a, b));
    binary(library, "quantity_add", (a, b) -> sum(a.quantity(), b.quantity()));
    binary(library, "quantity_sub", (a, b) -> difference(a.quantity(), b.quantity()));
    library
        .add("quantity_add_int", QUANTITY, Long.class, (a, b) -> sum(a.quantity(), integer(b)))
        .add(
            "quantity_sub_int",
            QUANTITY,
            Long.class,
            (a, b) -> difference(a.quantity(), integer(b)));
  }

  private static void binary(
      FunctionLibrary.Builder library,
      String overload,
      CelFunctionOverload.Binary<QuantityValue, QuantityValue> body) {
    library.add(overload, QUANTITY, QUANTITY, body);
  }

  private static QuantityValue of(String text) {
    return new QuantityValue(
        Quantity.tryParse(text)
            .orElseThrow(() -> new CelInvalidArgumentException("not a quantity: " + text)));
  }

  private static QuantityValue sum(Quantity a, Quantity b) {
    return calculated(() -> a.add(b));
  }

  private static QuantityValue difference(Quantity a, Quantity b) {
    return calculated(() -> a.subtract(b));
  }

  private static QuantityValue calculated(Supplier<Quantity> calculation) {
    try {
      return QuantityValue.calculated(calculation.get());
    } catch (ArithmeticException e) {
      throw new CelInvalidArgumentException(String.valueOf(e.getMessage()));
    }
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

  private static int order(QuantityValue a, QuantityValue b) {
    return a.quantity().compareTo(b.quantity());
  }
}
