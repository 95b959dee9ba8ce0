package io.dra4j.allocation.policy;

/**
 * How good an allocation is, in the eyes of an {@link AllocationPolicy}. Of two scores of one
 * policy, the greater one is better.
 */
public interface Score extends Comparable<Score> {

  /**
   * Returns the predicted bandwidth of the chosen devices.
   *
   * @return GB/s in one direction; 0 if nothing is known
   */
  double gigabytesPerSecond();

  /**
   * Returns what such a number of devices would carry on the same server if it were idle.
   *
   * @return GB/s in one direction, at least {@link #gigabytesPerSecond}
   */
  double upperBoundGigabytesPerSecond();

  /**
   * Says in one sentence what is good or bad about the allocation.
   *
   * @return the sentence, for people
   */
  String explanation();
}
