package io.dra4j.manifest;

import java.util.List;

/** Checks objects as they were written, and reports problems. */
@FunctionalInterface
public interface ManifestInspector {

  /** Receives the problems of one object. */
  @FunctionalInterface
  interface Findings {

    /**
     * Adds a finding.
     *
     * @param rule the name of the broken rule
     * @param path the field, for example {@code spec.devices[4].basic.attributes[model]}, in the
     *     version in which the object is written
     * @param message the expected and the found value
     * @param near names that may be meant instead of the found one; empty for none
     */
    void add(String rule, String path, String message, List<String> near);
  }

  /**
   * Checks an object. Fields of wrong types and unknown fields were reported already.
   *
   * @param object the object
   * @param findings receives the problems of the object
   */
  void inspect(RawObject object, Findings findings);
}
