package io.dra4j.cel.hostile;

import io.dra4j.cel.CelSelector;
import io.dra4j.cel.CelSelectors;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.model.Device;
import io.dra4j.selector.SelectorException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Compiles, evaluates and explains hostile expressions with one compiler in one process: each gives
 * an answer or an error, ends soon after its time is over, and leaves nothing behind.
 */
public final class HostileRun {

  private static final Duration TIME = Duration.ofMillis(200);
  private static final long LATEST = 100_000_000; // nanoseconds; 50 ms are meant
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final CelSelectors selectors = CelSelectors.create();
  private final List<Device> devices = HostileExpressions.devices();
  private int expressions;
  private int refused;
  private int errors;
  private int outOfTime;
  private long overshoot = Long.MIN_VALUE;
  private String slowest = "";
  private long slowestCompilation;
  private String slowestToCompile = "";

  private HostileRun() {}

  /**
   * Runs all families and a number of mutants, prints what became of them, and fails if one broke
   * the evaluator, took more than 100 ms longer than it may, or if the heap has grown by more than
   * 16 MiB afterwards.
   *
   * @param args how many mutants, and the seed they are made from
   */
  public static void main(String[] args) {
    int mutants = Integer.parseInt(args[0]);
    Random random = new Random(Long.parseLong(args[1]));
    HostileRun run = new HostileRun();
    run.ask("warm up", "lists.range(100).all(x, 'a'.matches('b' + string(x)))");
    long before = heap();
    List<String> all = new ArrayList<>();
    for (Map.Entry<String, List<String>> family : HostileExpressions.families().entrySet()) {
      all.addAll(family.getValue());
      family.getValue().forEach(expression -> run.ask(family.getKey(), expression));
    }
    for (int i = 0; i < mutants; i++) {
      run.ask("mutant " + i, HostileExpressions.mutant(all, random));
    }
    long grown = heap() - before;
    System.out.printf(
        "hostile expressions: %d on %d devices, %d refused, %d answers are errors, %d out of time;"
            + " slowest to compile %d ms (%s), latest %d ms of processor time after its end (%s);"
            + " heap grown by %.1f MiB of %d%n",
        run.expressions,
        run.devices.size(),
        run.refused,
        run.errors,
        run.outOfTime,
        run.slowestCompilation / 1_000_000,
        run.slowestToCompile,
        Math.max(0, run.overshoot / 1_000_000),
        run.slowest,
        grown / 1048576.0,
        Runtime.getRuntime().maxMemory() >> 20);
    if (grown > 16 << 20 || run.overshoot > LATEST) {
      System.exit(1);
    }
  }

  private void ask(String family, String expression) {
    expressions++;
    long from = THREADS.getCurrentThreadCpuTime();
    CelSelector selector;
    try {
      selector = selectors.compileSelector(expression);
    } catch (SelectorException e) {
      refused++;
      explain(expression);
      return;
    } finally {
      long took = THREADS.getCurrentThreadCpuTime() - from;
      if (took > slowestCompilation) {
        slowestCompilation = took;
        slowestToCompile = family;
      }
    }
    for (Device device : devices) {
      long start = THREADS.getCurrentThreadCpuTime();
      try {
        // not that of a clock, with which others on the machine hide how late it is
        Budget budget =
            Budget.unlimited()
                .orUntil(() -> THREADS.getCurrentThreadCpuTime() - start > TIME.toNanos());
        if (selector.evaluate("d", device, budget).failed()) {
          errors++;
        }
      } catch (BudgetExceededException e) {
        outOfTime++;
      }
      long late = THREADS.getCurrentThreadCpuTime() - start - TIME.toNanos();
      if (late > overshoot) {
        overshoot = late;
        slowest = family + ": " + expression.substring(Math.max(0, expression.length() - 200));
      }
    }
    explain(expression);
  }

  private void explain(String expression) {
    try {
      String unused = selectors.explain(expression, "d", devices.get(1), Budget.of(TIME)).summary();
    } catch (BudgetExceededException e) {
      outOfTime++;
    }
  }

  private static long heap() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
