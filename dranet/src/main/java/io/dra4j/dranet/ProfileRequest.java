package io.dra4j.dranet;

import java.util.Objects;

/**
 * A request for the settings of a profile, for a device of a claim.
 *
 * @param profile the name of the profile
 * @param claimUid the unique id of the claim
 * @param device the published name of the device
 * @param interfaceName the name of its network interface on the host; empty if it has none
 */
public record ProfileRequest(String profile, String claimUid, String device, String interfaceName) {

  /** Refuses null. {@inheritDoc} */
  public ProfileRequest {
    Objects.requireNonNull(profile, "profile");
    Objects.requireNonNull(claimUid, "claimUid");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(interfaceName, "interfaceName");
  }
}
