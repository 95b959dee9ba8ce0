package io.dra4j.cli.cluster;

import io.dra4j.cli.input.ClusterInput;
import io.dra4j.cli.input.InputWarnings;
import io.dra4j.cli.input.ObjectPlaces;
import io.dra4j.cli.terminal.CommandMessages;
import io.dra4j.cli.terminal.ExitCode;
import io.dra4j.cli.terminal.Terminal;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.model.Node;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Checks of a cluster, before pods are placed or explained. */
final class InputChecks {

  private InputChecks() {}

  /**
   * Returns a message if the node of {@code --node} is not in the input; empty if it is, or if no
   * node is given.
   */
  static Optional<String> unknownNode(@Nullable String node, DeviceInventory inventory) {
    return node == null || inventory.node(node).isPresent()
        ? Optional.empty()
        : Optional.of(
            CommandMessages.unknownNode(node, inventory.nodes().stream().map(Node::name).toList()));
  }

  /**
   * Reports what in the input can make the answer differ from the author's expectation, and further
   * warnings. Returns {@code OK} if all pods of the question can be placed, else {@code BAD_INPUT}.
   */
  static ExitCode report(
      Terminal terminal, ClusterInput input, DeviceInventory inventory, List<String> warnings) {
    return report(terminal, input, inventory, warnings, input.scope()::coversProblem, false);
  }

  /**
   * Reports everything in the input that can make the answer differ from the author's expectation.
   *
   * @param asked selects the problems of pods that are bad input; other problems are warnings
   * @param isAnswered whether the answer itself has the selected problems, with its own exit code
   * @return {@code BAD_INPUT} if the answer lacks a selected problem; otherwise {@code OK}
   */
  static ExitCode report(
      Terminal terminal,
      ClusterInput input,
      DeviceInventory inventory,
      List<String> warnings,
      Predicate<String> asked,
      boolean isAnswered) {
    ObjectPlaces places = new ObjectPlaces(input.manifests());
    InputWarnings.ofHoldings(inventory, input.queue().claims())
        .forEach(note -> terminal.problem("warning: " + places.placed(note)));
    input.queue().freed().forEach(note -> terminal.problem("warning: " + places.placed(note)));
    InputWarnings.ofAddresses(inventory)
        .forEach(note -> terminal.problem("warning: " + places.placed(note)));
    if (!input.queue().pods().isEmpty()) {
      InputWarnings.ofNodes(inventory).forEach(note -> terminal.problem("warning: " + note));
    }
    warnings.forEach(note -> terminal.problem("warning: " + note));
    ExitCode code = ExitCode.OK;
    for (String problem : input.queue().problems()) {
      String placed = places.placed(problem);
      if (!asked.test(problem)) {
        terminal.problem("warning: " + placed);
      } else if (!isAnswered) {
        terminal.problem(placed);
        code = ExitCode.BAD_INPUT;
      }
    }
    return code;
  }
}
