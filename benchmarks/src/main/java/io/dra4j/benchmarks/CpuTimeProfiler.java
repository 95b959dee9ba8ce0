package io.dra4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the process per operation, which other work on the machine inflates less than the
 * time that JMH takes. Usage: {@code -prof io.dra4j.benchmarks.CpuTimeProfiler}.
 */
public final class CpuTimeProfiler implements InternalProfiler {

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long before;

  /** Made by JMH. */
  public CpuTimeProfiler() {}

  @Override
  public String getDescription() {
    return "CPU time of the process per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = system.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double time = system.getProcessCpuTime() - before;
    long operations = result.getMetadata().getAllOps();
    return operations == 0
        ? List.of()
        : List.of(new ScalarResult("cpu", time / operations, "ns/op", AggregationPolicy.AVG));
  }
}
