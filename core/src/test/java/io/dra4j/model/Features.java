package io.dra4j.model;

import io.dra4j.common.Feature;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** Sets of features for tests. */
public final class Features {

  private Features() {}

  /** All features of Kubernetes but some. */
  public static Set<Feature> without(Feature... some) {
    Set<Feature> others = EnumSet.copyOf(Feature.kubernetes());
    others.removeAll(Arrays.asList(some));
    return others;
  }
}
