package io.dra4j.allocation.policy;

/**
 * The rating of an allocation by an {@link AllocationPolicy}. Of two scores of one policy, the
 * greater one is better.
 */
public interface Score extends Comparable<Score> {

  /**
   * Returns the predicted bandwidth of the chosen devices.
   *
   * @return GB/s in one direction; 0 if nothing is known
   */
  double gigabytesPerSecond();

  /**
   * Returns the bandwidth that the same number of devices would have on the same server if it were
   * idle.
   *
   * @return GB/s in one direction, at least {@link #gigabytesPerSecond}
   */
  double upperBoundGigabytesPerSecond();

  /**
   * Returns the strengths and weaknesses of the allocation in one sentence.
   *
   * @return the sentence
   */
  String explanation();
}
