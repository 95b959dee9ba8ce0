package io.dra4j.placement.internal.policy;

import io.dra4j.internal.json.StrictJson;
import io.dra4j.model.DeviceClaimConfiguration;
import io.dra4j.model.OpaqueDeviceConfiguration;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.topology.PathType;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The preferences of a claim for policies, in its configuration for the driver {@code dra4j.io}.
 * Kubernetes and other allocators ignore them, so that the claim stays portable:
 *
 * <pre>{@code
 * config:
 * - opaque:
 *     driver: dra4j.io
 *     parameters:
 *       apiVersion: dra4j.io/v1alpha1
 *       kind: Placement
 *       policy: best                              # first-fit, best, pack or spread
 *       alignment: {within: SWITCH, mode: Preferred}   # or Required
 * }</pre>
 *
 * @param policy the policy; empty for the policy of the allocator
 * @param within the maximum distance between the GPU and the NIC of a pair; empty if it does not
 *     matter
 * @param required whether an allocation with a pair that is farther apart is refused; otherwise
 *     such pairs are used only if there are no better ones
 */
public record PlacementPreference(
    Optional<PolicyName> policy, Optional<PathType> within, boolean required) {

  /** The driver of the configuration. */
  public static final String DRIVER = "dra4j.io";

  static final String API_VERSION = "dra4j.io/v1alpha1";
  static final String KIND = "Placement";
  static final PlacementPreference NONE =
      new PlacementPreference(Optional.empty(), Optional.empty(), false);

  private static final int MAX_LENGTH = 64 * 1024;

  /**
   * A preference that cannot be understood; the message names claim and field, as a JSON pointer.
   */
  static final class FaultyPreferenceException extends Exception {
    private static final long serialVersionUID = 1L;

    FaultyPreferenceException(ResourceClaim claim, int config, String field, String problem) {
      super(
          "claim %s, config #%d for driver %s%s: %s"
              .formatted(
                  claim.displayName(),
                  config,
                  DRIVER,
                  field.isEmpty() ? "" : ", " + (field.startsWith("/") ? field : "/" + field),
                  problem));
    }
  }

  /**
   * A cache of preferences by the text of their configurations, so that a claim is not re-read for
   * each node. Holds 64 of them, about 8 MB at most. Thread-safe.
   */
  static final class Memory {
    private static final int MAX_TEXTS = 64;
    private final ConcurrentHashMap<String, PlacementPreference> byText = new ConcurrentHashMap<>();

    @Nullable PlacementPreference of(String text) {
      return byText.get(text);
    }

    void put(String text, PlacementPreference preference) {
      if (byText.size() >= MAX_TEXTS) {
        byText.clear();
      }
      byText.put(text, preference);
    }
  }

  /** {@return the preferences of a claim; empty without a configuration for the driver} */
  static PlacementPreference of(ResourceClaim claim, Memory memory)
      throws FaultyPreferenceException {
    PlacementPreference found = NONE;
    boolean any = false;
    for (int i = 0; i < claim.spec().config().size(); i++) {
      DeviceClaimConfiguration config = claim.spec().config().get(i);
      OpaqueDeviceConfiguration opaque = config.opaque();
      if (opaque == null || !opaque.driver().equals(DRIVER)) {
        continue;
      }
      if (any) {
        throw new FaultyPreferenceException(
            claim, i, "", "expected one such configuration, found two");
      }
      if (!config.requests().isEmpty()) {
        throw new FaultyPreferenceException(
            claim,
            i,
            "requests",
            "expected none, since the configuration applies to the whole claim");
      }
      any = true;
      PlacementPreference read = memory.of(opaque.parameters());
      if (read != null) {
        found = read;
        continue;
      }
      found = parse(claim, i, opaque.parameters());
      memory.put(opaque.parameters(), found);
    }
    return found;
  }

  private static PlacementPreference parse(ResourceClaim claim, int config, String parameters)
      throws FaultyPreferenceException {
    if (parameters.length() > MAX_LENGTH) {
      throw new FaultyPreferenceException(
          claim, config, "", "expected at most " + MAX_LENGTH + " characters");
    }
    try {
      StrictJson json =
          StrictJson.parse(parameters).only("apiVersion", "kind", "policy", "alignment");
      require(json, "apiVersion", API_VERSION);
      require(json, "kind", KIND);
      Optional<PolicyName> policy = policy(json.text("policy"));
      if (!json.has("alignment")) {
        return new PlacementPreference(policy, Optional.empty(), false);
      }
      StrictJson alignment = json.object("alignment").only("within", "mode");
      String mode = alignment.text("mode");
      if (mode != null && !mode.equals("Preferred") && !mode.equals("Required")) {
        throw new StrictJson.Problem(
            "alignment/mode", "expected Preferred or Required, found " + quoted(mode));
      }
      return new PlacementPreference(
          policy, Optional.of(within(alignment.text("within"))), "Required".equals(mode));
    } catch (StrictJson.Problem e) {
      throw new FaultyPreferenceException(claim, config, e.field, e.problem);
    }
  }

  private static Optional<PolicyName> policy(@Nullable String name) throws StrictJson.Problem {
    Optional<PolicyName> policy = name == null ? Optional.empty() : PolicyName.of(name);
    if (name != null && policy.isEmpty()) {
      throw new StrictJson.Problem(
          "policy",
          "expected one of " + String.join(", ", PolicyName.NAMES) + ", found " + quoted(name));
    }
    return policy;
  }

  private static void require(StrictJson json, String field, String value)
      throws StrictJson.Problem {
    String found = json.text(field);
    if (!value.equals(found)) {
      throw new StrictJson.Problem(
          field, "expected " + value + (found == null ? "" : ", found " + quoted(found)));
    }
  }

  private static PathType within(@Nullable String name) throws StrictJson.Problem {
    return LinkModel.CLASSES.stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new StrictJson.Problem(
                    "alignment/within",
                    "expected one of "
                        + String.join(", ", LinkModel.CLASSES.stream().map(PathType::name).toList())
                        + (name == null ? "" : ", found " + quoted(name))));
  }

  private static String quoted(String text) {
    return "\"" + StrictJson.safe(text) + "\"";
  }
}
