package io.dra4j.cel.internal.library;

import java.util.List;

/**
 * What calls of a function cost: what is estimated before, and what is counted when they are made.
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

  /** One unit, whatever the arguments. */
  public static final FunctionCost ONE = new FunctionCost(args -> CallEstimate.ONE, CallCost.ONE);
}
