package io.dra4j.placement.internal.policy;

import io.dra4j.allocation.internal.search.SearchPolicyContext;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.placement.internal.selection.DeviceSetRequest;
import io.dra4j.placement.internal.server.NodeServerModel;
import io.dra4j.placement.internal.server.ServerModel;
import io.dra4j.placement.internal.server.ServerOccupancy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a policy has made out about a question, once for choosing, refusing and scoring.
 *
 * @param by the engine of the policy
 * @param question the question
 * @param preference what its claims want of policies
 * @param server the server
 * @param use what of the server is in use
 * @param note what the score has to say of the choice; null for nothing
 */
record PolicyEvaluation(
    PolicyEngine by,
    SearchPolicyContext question,
    JointPreference preference,
    NodeServerModel server,
    ServerOccupancy use,
    @Nullable String note) {

  /** The same, kept for when the question comes again, with something that the score says. */
  PolicyEvaluation withNote(String more) {
    String all = note == null || note.contains(more) ? more : note + "; " + more;
    PolicyEvaluation noted = new PolicyEvaluation(by, question, preference, server, use, all);
    question.attach(noted);
    return noted;
  }

  ServerModel kind() {
    return server.kind;
  }

  /** What the requests want of GPUs and NICs; empty if they cannot be chosen by them. */
  Optional<DeviceSetRequest> wanted() throws BudgetExceededException {
    return wanted(-1, -1);
  }

  /** The same, among some GPUs and NICs. */
  Optional<DeviceSetRequest> wanted(long gpus, long nics) throws BudgetExceededException {
    return DeviceSetRequest.of(question, server, use, preference.objective(), gpus, nics);
  }
}
