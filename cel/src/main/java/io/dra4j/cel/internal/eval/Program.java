package io.dra4j.cel.internal.eval;

import io.dra4j.cel.internal.value.EvalError;
import io.dra4j.cel.internal.value.EvaluationAborted;
import java.util.Map;

/** An expression ready to be evaluated. Immutable and thread-safe. */
public final class Program implements CelEngine.Evaluator {

  private final Node root;
  private final int locals;
  private final DeviceReads reads;
  private final int parts;
  private final int patternBytes;

  /**
   * Creates a program with the number of parts of the expression, which macros may have increased,
   * and the bytes that the regular expressions of its nodes take.
   */
  Program(Node root, int locals, DeviceReads reads, int parts, int patternBytes) {
    this.parts = parts;
    this.patternBytes = patternBytes;
    this.root = root;
    this.locals = locals;
    this.reads = reads;
  }

  @Override
  public DeviceReads reads() {
    return reads;
  }

  @Override
  public int weight(String expression) {
    return CelEngine.Evaluator.weight(Math.max(expression.length(), parts)) + patternBytes;
  }

  @Override
  public int test(DeviceView device, Frame frame) {
    frame.start(device, locals);
    try {
      return root.test(frame);
    } catch (EvaluationAborted e) {
      return frame.fail(EvalError.of(e));
    } catch (StackOverflowError e) {
      return frame.fail(EvalError.tooDeep());
    } catch (RuntimeException e) {
      return frame.fail(new EvalError("internal error: " + e)); // as cel-go says after a panic
    } finally {
      frame.clear(locals);
    }
  }

  @Override
  public Object evaluate(DeviceView device, Frame frame) {
    frame.start(device, locals);
    return evaluate(frame);
  }

  /** Evaluates the expression with variables. Returns the value or an {@link EvalError}. */
  public Object evaluate(Map<String, ?> variables, Frame frame) {
    frame.start(variables, locals);
    return evaluate(frame);
  }

  private Object evaluate(Frame frame) {
    try {
      return root.eval(frame);
    } catch (EvaluationAborted e) {
      return EvalError.of(e);
    } catch (StackOverflowError e) {
      return EvalError.tooDeep();
    } catch (RuntimeException e) {
      return new EvalError("internal error: " + e); // as cel-go says after a panic
    } finally {
      frame.clear(locals);
    }
  }
}
