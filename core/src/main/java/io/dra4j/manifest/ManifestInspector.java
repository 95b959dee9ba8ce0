package io.dra4j.manifest;

import java.util.List;

/** Looks for what is wrong with objects as they were written. */
@FunctionalInterface
public interface ManifestInspector {

  /** Takes what is wrong with one object. */
  @FunctionalInterface
  interface Findings {

    /**
     * Takes a finding.
     *
     * @param rule the name of the rule that is broken
     * @param path the field, for example {@code spec.devices[4].basic.attributes[model]}, in the
     *     terms of the version in which the object is written
     * @param message what was expected and what was found
     * @param near names that may be meant instead of the one found; empty for none
     */
    void add(String rule, String path, String message, List<String> near);
  }

  /**
   * Looks at an object. Fields of wrong types and unknown fields were reported already.
   *
   * @param object the object
   * @param findings takes what is wrong with it
   */
  void inspect(RawObject object, Findings findings);
}
