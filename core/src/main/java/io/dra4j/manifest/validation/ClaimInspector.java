package io.dra4j.manifest.validation;

import io.dra4j.manifest.ManifestInspector;
import io.dra4j.manifest.WrittenObject;
import io.dra4j.model.CompiledAttribute;
import io.dra4j.model.CompiledSelector;
import io.dra4j.model.SelectorCompiler;
import io.dra4j.model.SelectorException;
import java.util.Set;

/**
 * Tells what the API server would refuse in objects that somebody reads in order to allocate: all
 * of claims, templates, classes and taint rules but what an expression says, since the allocator
 * compiles it; of other objects that they have no name. Slices, which are most of a cluster and
 * come from drivers, cost next to nothing so. {@link ManifestValidator} looks at everything.
 *
 * <pre>{@code
 * ManifestFile file =
 *     ManifestReader.create().inspectedBy(new ClaimInspector()).readFile(Path.of("claims.yaml"));
 * file.findings().forEach(finding -> System.out.println(finding.problem()));
 * }</pre>
 */
public final class ClaimInspector implements ManifestInspector {

  private static final Set<String> KINDS =
      Set.of("ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "DeviceTaintRule");

  private final ObjectRules rules = new ObjectRules(new AnyExpression());

  /** Makes an inspector; the names of its findings are those of {@link ValidationRule}. */
  public ClaimInspector() {}

  @Override
  public void inspect(WrittenObject object, Findings findings) {
    if (KINDS.contains(object.kind())) {
      rules.inspect(object, findings);
    } else {
      MetadataRules.checkIsNamed(Written.of(object, findings).objectOrEmpty("metadata"));
    }
  }

  /** Takes every expression, and evaluates none. */
  private static final class AnyExpression implements SelectorCompiler {

    @Override
    public CompiledSelector compileSelector(String expression) {
      return (driver, device) -> {
        throw new SelectorException("not compiled: " + expression);
      };
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) {
      return (driver, device) -> {
        throw new SelectorException("not compiled: " + expression);
      };
    }
  }
}
