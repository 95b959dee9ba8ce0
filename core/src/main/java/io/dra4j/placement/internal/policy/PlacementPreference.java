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
 * What a claim wants of a policy, in its configuration for the driver {@code dra4j.io}. Kubernetes
 * and other allocators ignore it, so that the claim stays portable:
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
 * @param policy how to choose; empty for the policy of the allocator
 * @param within how far apart the GPU and the NIC of a pair may be; empty if it does not matter
 * @param required whether there is no allocation where a pair is farther apart; otherwise such
 *     pairs are what is left when no better ones are
 */
public record PlacementPreference(
    Optional<PolicyName> policy, Optional<PathType> within, boolean required) {

  /** The driver that the configuration is for. */
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
   * What configurations say, by their text, so that a claim is not read anew for each node. Holds
   * 64 of them, some 8 MB at most. Thread-safe.
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

  /**
   * Reads what a claim wants.
   *
   * @param memory what was read before
   * @return nothing if the claim has no configuration for the driver
   */
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
        throw new FaultyPreferenceException(claim, i, "", "want one such configuration, got two");
      }
      if (!config.requests().isEmpty()) {
        throw new FaultyPreferenceException(
            claim, i, "requests", "want none, since it is about the whole claim");
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
          claim, config, "", "want at most " + MAX_LENGTH + " characters");
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
            "alignment/mode", "want Preferred or Required, got " + quoted(mode));
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
          "policy", "want one of " + String.join(", ", PolicyName.NAMES) + ", got " + quoted(name));
    }
    return policy;
  }

  private static void require(StrictJson json, String field, String value)
      throws StrictJson.Problem {
    String found = json.text(field);
    if (!value.equals(found)) {
      throw new StrictJson.Problem(
          field, "want " + value + (found == null ? "" : ", got " + quoted(found)));
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
                    "want one of "
                        + String.join(", ", LinkModel.CLASSES.stream().map(PathType::name).toList())
                        + (name == null ? "" : ", got " + quoted(name))));
  }

  private static String quoted(String text) {
    return "\"" + StrictJson.safe(text) + "\"";
  }
}
