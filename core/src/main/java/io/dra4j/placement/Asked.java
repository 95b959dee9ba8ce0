package io.dra4j.placement;

import io.dra4j.allocation.policy.PolicyQuestion;
import io.dra4j.placement.internal.server.NodeServer;
import io.dra4j.placement.internal.server.ServerKind;
import io.dra4j.placement.internal.server.ServerUse;
import org.jspecify.annotations.Nullable;

/**
 * What a policy has made out about a question, once for choosing, refusing and scoring.
 *
 * @param by the policy
 * @param question the question
 * @param preference what its claims want of policies
 * @param server the server
 * @param use what of the server is in use
 * @param note what the score has to say of the choice; null for nothing
 */
public record Asked(
    PlacementPolicy by,
    PolicyQuestion question,
    JointPreference preference,
    NodeServer server,
    ServerUse use,
    @Nullable String note) {

  /** The same, kept for when the question comes again, with something that the score says. */
  Asked noting(String more) {
    String all = note == null || note.contains(more) ? more : note + "; " + more;
    Asked noted = new Asked(by, question, preference, server, use, all);
    question.keep(noted);
    return noted;
  }

  public ServerKind kind() {
    return server.kind;
  }
}
