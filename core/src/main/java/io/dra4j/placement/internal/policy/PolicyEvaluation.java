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
 * The evaluation of a question by a policy, once for choosing, refusing and scoring.
 *
 * @param by the engine of the policy
 * @param question the question
 * @param preference the preferences of its claims
 * @param server the server
 * @param use the occupancy of the server
 * @param note the note of the score about the choice; null for none
 */
record PolicyEvaluation(
    PolicyEngine by,
    SearchPolicyContext question,
    JointPreference preference,
    NodeServerModel server,
    ServerOccupancy use,
    @Nullable String note) {

  /** Adds a note to the score; keeps the new evaluation for the next call with this question. */
  PolicyEvaluation withNote(String more) {
    String all = note == null || note.contains(more) ? more : note + "; " + more;
    PolicyEvaluation noted = new PolicyEvaluation(by, question, preference, server, use, all);
    question.attach(noted);
    return noted;
  }

  ServerModel kind() {
    return server.kind;
  }

  /** The demand of the requests for GPUs and NICs; empty if the devices cannot be chosen by it. */
  Optional<DeviceSetRequest> wanted() throws BudgetExceededException {
    return wanted(-1, -1);
  }

  /** The demand of requests among some GPUs and NICs; empty if it cannot choose the devices. */
  Optional<DeviceSetRequest> wanted(long gpus, long nics) throws BudgetExceededException {
    return DeviceSetRequest.of(question, server, use, preference.objective(), gpus, nics);
  }
}
