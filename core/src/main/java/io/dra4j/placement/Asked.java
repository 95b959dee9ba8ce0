package io.dra4j.placement;

import io.dra4j.allocation.PolicyQuestion;

/**
 * What a policy has made out about a question, once for choosing, refusing and scoring.
 *
 * @param by the policy
 * @param question the question
 * @param preference what its claims want of policies
 * @param server the server
 * @param use what of the server is in use
 */
record Asked(
    PlacementPolicy by,
    PolicyQuestion question,
    JointPreference preference,
    NodeServer server,
    ServerUse use) {

  ServerKind kind() {
    return server.kind;
  }
}
