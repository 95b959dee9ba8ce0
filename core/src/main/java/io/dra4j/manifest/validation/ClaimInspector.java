package io.dra4j.manifest.validation;

import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.RawObject;
import io.dra4j.selector.SelectorCompiler;
import java.util.Objects;

/**
 * Reports the problems for which the API server would reject objects that are read for allocation.
 * Checks claims, templates, classes and taint rules completely, the names and claims of pods, and
 * only the names of slices. Slices are most of a cluster and come from drivers, so that their
 * checks would take most of the time; {@link #withSlices} checks them as well, like {@link
 * ManifestValidator}.
 *
 * <pre>{@code
 * ManifestFile file =
 *     ManifestReader.builder()
 *         .inspector(new ClaimInspector(CelSelectors.create())).build()
 *         .readFile(Path.of("claims.yaml"));
 * file.findings().forEach(finding -> System.out.println(finding.problem()));
 * }</pre>
 */
public final class ClaimInspector implements ManifestInspector {

  private final ObjectRules rules;
  private final boolean looksAtSlices;

  /**
   * Creates an inspector; the names of its findings are the IDs of {@link ValidationRule}.
   *
   * @param compiler compiles selectors and estimates their cost; the compiler of the allocator
   *     caches compiled selectors, which avoids a second compilation
   */
  public ClaimInspector(SelectorCompiler compiler) {
    this(new ObjectRules(compiler), false);
  }

  private ClaimInspector(ObjectRules rules, boolean looksAtSlices) {
    this.rules = rules;
    this.looksAtSlices = looksAtSlices;
  }

  /** {@return the same inspector with complete checks of slices} */
  public ClaimInspector withSlices() {
    return new ClaimInspector(rules, true);
  }

  @Override
  public void inspect(RawObject object, Findings findings) {
    Objects.requireNonNull(object, "object");
    Objects.requireNonNull(findings, "findings");
    if (looksAtSlices || !object.kind().equals("ResourceSlice")) {
      rules.inspect(object, findings);
    } else {
      MetadataRules.checkIsNamed(FieldCursor.of(object, findings).objectOrEmpty("metadata"));
    }
  }
}
