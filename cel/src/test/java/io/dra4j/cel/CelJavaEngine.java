package io.dra4j.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelOptions;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.CelStandardFunctions.StandardFunction;
import dev.cel.runtime.Program;
import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.cost.CostEstimator;
import io.dra4j.cel.internal.eval.CelEngine;
import io.dra4j.cel.internal.eval.DeviceReads;
import io.dra4j.cel.internal.eval.DeviceView;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.eval.Node;
import io.dra4j.cel.internal.library.Estimate;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.common.Budget;
import io.dra4j.selector.SelectorException;
import java.util.Optional;

/**
 * The runtime of cel-java with the functions of Kubernetes. Counts no costs, but limits the rounds
 * of loops.
 */
final class CelJavaEngine implements CelEngine {

  /** Rounds of all loops of one evaluation together. */
  private static final int ITERATIONS = 250_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .comprehensionMaxIterations(ITERATIONS)
          .build();

  private static final ImmutableSet<StandardFunction> KEPT =
      ImmutableSet.of(
          StandardFunction.LOGICAL_NOT,
          StandardFunction.NOT_STRICTLY_FALSE,
          StandardFunction.ADD,
          StandardFunction.SUBTRACT,
          StandardFunction.MULTIPLY,
          StandardFunction.DIVIDE,
          StandardFunction.MODULO,
          StandardFunction.NEGATE,
          StandardFunction.SIZE,
          StandardFunction.GREATER,
          StandardFunction.GREATER_EQUALS,
          StandardFunction.LESS,
          StandardFunction.LESS_EQUALS,
          StandardFunction.DYN);

  private final FunctionLibrary library;
  private final CelRuntime runtime;

  CelJavaEngine(FunctionLibrary library) {
    this.library = library;
    this.runtime =
        CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(OPTIONS)
            .setTypeProvider(new DeviceTypes())
            .setStandardFunctions(CelStandardFunctions.newBuilder().includeFunctions(KEPT).build())
            .addLibraries(
                new CelJavaLibrary(library),
                new CelJavaLibrary(new FunctionLibrary(CelJavaOperators::addTo)))
            .build();
  }

  @Override
  public Evaluator plan(CheckedExpression expression, Budget budget) throws SelectorException {
    try {
      return new Interpreted(runtime.createProgram(CheckedTrees.toTree(expression)));
    } catch (CelEvaluationException | RuntimeException e) {
      throw new SelectorException("program instantiation failed: " + e.getMessage());
    }
  }

  @Override
  public Estimate estimate(CheckedExpression expression) {
    return CostEstimator.estimate(expression, library);
  }

  private record Interpreted(Program program) implements Evaluator {

    @Override
    public Object evaluate(DeviceView device, Frame frame) {
      frame.start(device, 0);
      Optional<Object> value = Optional.of(DeviceValue.of(device));
      try {
        return program.eval(name -> name.equals("device") ? value : Optional.empty());
      } catch (CelEvaluationException | RuntimeException e) {
        return new EvalError(String.valueOf(e.getMessage()));
      } catch (StackOverflowError e) {
        return EvalError.tooDeep();
      }
    }

    @Override
    public int test(DeviceView device, Frame frame) {
      return Node.truth(evaluate(device, frame), frame);
    }

    @Override
    public DeviceReads reads() {
      return DeviceReads.EVERYTHING;
    }
  }
}
