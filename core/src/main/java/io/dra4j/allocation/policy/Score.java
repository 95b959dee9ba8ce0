package io.dra4j.allocation.policy;

/** A policy's rating of an allocation; of two scores of one policy, the greater one is better. */
public interface Score extends Comparable<Score> {

  /** {@return the predicted bandwidth of the devices in one direction, in GB/s; 0 if unknown} */
  double gigabytesPerSecond();

  /**
   * {@return the bandwidth, in GB/s in one direction, that the same number of devices would have on
   * the same server if it were idle; at least {@link #gigabytesPerSecond}}
   */
  double upperBoundGigabytesPerSecond();

  /** {@return the strengths and weaknesses of the allocation in one sentence} */
  String explanation();
}
