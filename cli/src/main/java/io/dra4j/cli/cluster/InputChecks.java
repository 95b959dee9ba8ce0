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

/** The checks of a cluster that was read, before pods are placed or explained. */
final class InputChecks {

  private InputChecks() {}

  /** Says that the node of {@code --node} is not in the input; empty if it is, or none is given. */
  static Optional<String> unknownNode(@Nullable String node, DeviceInventory inventory) {
    return node == null || inventory.node(node).isPresent()
        ? Optional.empty()
        : Optional.of(
            CommandMessages.unknownNode(node, inventory.nodes().stream().map(Node::name).toList()));
  }

  /**
   * Reports what makes the answer another one than the author of the input expects.
   *
   * @param warnings further warnings
   * @return whether all pods that are asked about can be placed; otherwise bad input
   */
  static ExitCode report(
      Terminal terminal, ClusterInput input, DeviceInventory inventory, List<String> warnings) {
    return report(terminal, input, inventory, warnings, input.scope()::coversProblem, false);
  }

  /**
   * Reports what makes the answer another one than the author of the input expects.
   *
   * @param warnings further warnings
   * @param asked which problems with pods are bad input; others are warnings
   * @param isAnswered whether the answer has the former, with its own exit code
   * @return whether there is no bad input here
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
