package io.dra4j.cel.internal.library;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import dev.cel.runtime.CelFunctionOverload;
import io.dra4j.cel.internal.text.GoVersions;
import io.dra4j.cel.internal.value.QuantityValue;
import io.dra4j.model.Quantity;
import java.util.function.Supplier;

/** The functions on quantities, after {@code quantity.go} of the API server's CEL library. */
final class QuantityFunctions {

  private static final FunctionCost READ = new FunctionCost(Estimates.text(0), CallCost.FIRST);

  private static final Class<QuantityValue> QUANTITY = QuantityValue.class;

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      add
        quantity_add kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity
        quantity_add_int kubernetes.Quantity.(int) kubernetes.Quantity
      asApproximateFloat
        quantity_get_float kubernetes.Quantity.() double
      asInteger
        quantity_get_int kubernetes.Quantity.() int
      compareTo
        quantity_compare_to kubernetes.Quantity.(kubernetes.Quantity) int
      isGreaterThan
        quantity_is_greater_than kubernetes.Quantity.(kubernetes.Quantity) bool
      isInteger
        quantity_is_integer kubernetes.Quantity.() bool
      isLessThan
        quantity_is_less_than kubernetes.Quantity.(kubernetes.Quantity) bool
      isQuantity
        is_quantity_string (string) bool
      quantity
        string_to_quantity (string) kubernetes.Quantity
      sign
        quantity_sign (kubernetes.Quantity) int
      sub
        quantity_sub kubernetes.Quantity.(kubernetes.Quantity) kubernetes.Quantity
        quantity_sub_int kubernetes.Quantity.(int) kubernetes.Quantity
      """;

  private QuantityFunctions() {}

  static void addTo(FunctionLibrary.Builder library, Dialect dialect) {
    boolean newer = dialect.sparesFailures(); // of one release, with apimachinery 0.38
    library
        .add("string_to_quantity", READ, String.class, text -> of(text, newer))
        .add("is_quantity_string", READ, String.class, text -> Quantity.tryParse(text).isPresent())
        .add("quantity_sign", FunctionCost.ONE, QUANTITY, q -> (long) q.quantity().signum())
        .add("quantity_is_integer", FunctionCost.ONE, QUANTITY, q -> q.quantity().isInteger())
        .add(
            "quantity_get_int",
            FunctionCost.ONE,
            QUANTITY,
            q ->
                q.quantity()
                    .asInteger()
                    .orElseThrow(
                        () -> new CelInvalidArgumentException("cannot convert value to integer")))
        .add(
            "quantity_get_float",
            FunctionCost.ONE,
            QUANTITY,
            q -> newer && q.quantity().signum() == 0 ? 0.0 : q.quantity().asApproximateDouble());
    binary(library, "quantity_is_greater_than", (a, b) -> order(a, b) > 0);
    binary(library, "quantity_is_less_than", (a, b) -> order(a, b) < 0);
    binary(library, "quantity_compare_to", (a, b) -> (long) order(a, b));
    binary(library, "quantity_add", (a, b) -> sum(a.quantity(), b.quantity(), newer));
    binary(library, "quantity_sub", (a, b) -> difference(a.quantity(), b.quantity(), newer));
    library
        .add(
            "quantity_add_int",
            FunctionCost.ONE,
            QUANTITY,
            Long.class,
            (a, b) -> sum(a.quantity(), integer(b), newer))
        .add(
            "quantity_sub_int",
            FunctionCost.ONE,
            QUANTITY,
            Long.class,
            (a, b) -> difference(a.quantity(), integer(b), newer));
  }

  private static void binary(
      FunctionLibrary.Builder library,
      String overload,
      CelFunctionOverload.Binary<QuantityValue, QuantityValue> body) {
    library.add(overload, FunctionCost.ONE, QUANTITY, QUANTITY, body);
  }

  private static QuantityValue of(String text, boolean newer) {
    Quantity quantity =
        Quantity.tryParse(text)
            .orElseThrow(() -> new CelInvalidArgumentException(GoVersions.quantityProblem(text)));
    return new QuantityValue(newer ? quantity.heldSince138() : quantity);
  }

  private static QuantityValue sum(Quantity a, Quantity b, boolean newer) {
    return calculated(() -> newer ? a.addSince138(b) : a.add(b));
  }

  private static QuantityValue difference(Quantity a, Quantity b, boolean newer) {
    if (newer) {
      return sum(a, b.negate(), true);
    }
    return calculated(() -> isMostNegative(b) ? withoutMostNegative(a, b) : a.subtract(b));
  }

  /** Returns whether it is the one amount of 64 bits whose opposite has more. */
  private static boolean isMostNegative(Quantity value) {
    return value.signum() < 0 && value.fitsInt64() && !value.negate().fitsInt64();
  }

  /** In 64 bits, −2⁶³ was its own opposite to Go; only what does not fit there is exact. */
  private static Quantity withoutMostNegative(Quantity a, Quantity mostNegative) {
    Quantity sum = a.add(mostNegative);
    return a.fitsInt64() && sum.fitsInt64() ? sum : a.subtract(mostNegative);
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

  private static int order(QuantityValue a, QuantityValue b) {
    return a.quantity().compareTo(b.quantity());
  }
}
