package io.dra4j.placement;

import io.dra4j.allocation.internal.search.SearchPolicyContext;
import io.dra4j.placement.internal.server.NodeServerModel;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
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
public record PolicyEvaluation(
    PlacementPolicy by,
    SearchPolicyContext question,
    JointPreference preference,
    NodeServerModel server,
    ServerOccupancy use,
    @Nullable String note) {

  /** The same, kept for when the question comes again, with something that the score says. */
  PolicyEvaluation noting(String more) {
    String all = note == null || note.contains(more) ? more : note + "; " + more;
    PolicyEvaluation noted = new PolicyEvaluation(by, question, preference, server, use, all);
    question.attach(noted);
    return noted;
  }

  public ServerModel kind() {
    return server.kind;
  }
}
