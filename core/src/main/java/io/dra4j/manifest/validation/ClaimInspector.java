package io.dra4j.manifest.validation;

import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.RawObject;
import io.dra4j.selector.SelectorCompiler;
import java.util.Objects;

/**
 * Reports what the API server would refuse in objects that are read in order to allocate: all of
 * claims, templates, classes and taint rules, names and claims of pods, and of slices that they
 * have no name. Slices, which are most of a cluster and come from drivers, cost next to nothing so;
 * {@link #withSlices} looks at them, too, as {@link ManifestValidator} does.
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
   * Makes an inspector; the names of its findings are those of {@link ValidationRule}.
   *
   * @param compiler compiles selectors and estimates their cost; the allocator's, which keeps what
   *     it compiled, spares a second compilation
   */
  public ClaimInspector(SelectorCompiler compiler) {
    this(new ObjectRules(compiler), false);
  }

  private ClaimInspector(ObjectRules rules, boolean looksAtSlices) {
    this.rules = rules;
    this.looksAtSlices = looksAtSlices;
  }

  /**
   * Makes the same inspector, but it looks at slices, too.
   *
   * @return the inspector
   */
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
