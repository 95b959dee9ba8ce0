package io.dra4j.cel.internal.library;

import java.util.List;

/**
 * The cost of calls of a function: the estimate, and the cost that is counted during evaluation.
 *
 * @param estimate after {@code checker/cost.go} and {@code ext} of cel-go and {@code
 *     library/cost.go} of the API server, of which the extensions win over Kubernetes, and that
 *     over cel-go itself
 * @param call after {@code interpreter/runtimecost.go} and the same two
 */
public record FunctionCost(Rule estimate, CallCost call) {

  /** Estimates the cost of a call. */
  @FunctionalInterface
  public interface Rule {

    /**
     * Estimates the cost of a call.
     *
     * @param args the arguments, of a member its target first
     */
    public CallEstimate of(List<Argument> args);
  }

  /** One unit for all arguments. */
  public static final FunctionCost ONE = new FunctionCost(args -> CallEstimate.ONE, CallCost.ONE);
}
