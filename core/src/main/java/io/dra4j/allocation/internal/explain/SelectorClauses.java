package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.internal.request.SearchContext;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.ExplanationBug;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceSelector;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorException;
import io.dra4j.selector.SelectorExplanation;
import io.dra4j.selector.SelectorExplanation.Clause;
import io.dra4j.selector.SelectorExplanation.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the condition of a selector that excludes a device. */
final class SelectorClauses {

  private final SearchContext context;

  SelectorClauses(SearchContext context) {
    this.context = context;
  }

  /** Whether selectors match a device of any pool; false if one of them fails. */
  boolean choose(List<DeviceSelector> selectors, String driver, Device device)
      throws BudgetExceededException {
    try {
      for (DeviceSelector selector : selectors) {
        if (selector.expression() == null
            || !context
                .compiler()
                .compileSelector(selector.expression(), context.budget())
                .matches(driver, device, context.budget())) {
          return false;
        }
      }
      return true;
    } catch (SelectorException e) {
      return false;
    }
  }

  /** The deciding condition of the first selector that does not match the device, in one line. */
  String whyNot(List<DeviceSelector> selectors, NodeDevice candidate)
      throws BudgetExceededException {
    SelectorExplanation explained = firstAgainst(selectors, candidate);
    if (explained == null || explained.expression().text().isEmpty()) {
      return "";
    }
    String verdict = explained.expression().verdict().text() + ": ";
    String summary = explained.summary();
    return summary.startsWith(verdict) ? summary.substring(verdict.length()) : summary;
  }

  /** Hints for the first selector that does not match the device. */
  List<String> hints(List<DeviceSelector> selectors, NodeDevice candidate)
      throws BudgetExceededException {
    SelectorExplanation explained = firstAgainst(selectors, candidate);
    return explained == null ? List.of() : explained.hints();
  }

  private @Nullable SelectorExplanation firstAgainst(
      List<DeviceSelector> selectors, NodeDevice candidate) throws BudgetExceededException {
    for (DeviceSelector selector : selectors) {
      context.budget().check();
      if (selector.expression() == null) {
        return null;
      }
      try {
        CompiledSelector compiled =
            context.compiler().compileSelector(selector.expression(), context.budget());
        SelectorExplanation explained = explanation(compiled, selector.expression(), candidate);
        if (explained.expression().verdict() != Verdict.TRUE) {
          return explained;
        }
      } catch (SelectorException e) {
        return null; // the plan reports it
      }
    }
    return null;
  }

  /** The explanation of a selector; its result alone if the explanation fails by a bug. */
  private SelectorExplanation explanation(
      CompiledSelector compiled, String expression, NodeDevice candidate)
      throws BudgetExceededException {
    String driver = candidate.slice().driver();
    Device device = candidate.device();
    try {
      return compiled.explain(driver, device, context.budget());
    } catch (RuntimeException e) {
      Clause answer;
      try {
        boolean matches = compiled.matches(driver, device, context.budget());
        answer = Clause.of(expression, matches ? Verdict.TRUE : Verdict.FALSE, "");
      } catch (SelectorException failed) {
        answer = Clause.of(expression, Verdict.ERROR, String.valueOf(failed.getMessage()));
      }
      return new SelectorExplanation(answer, List.of(ExplanationBug.sentence(e)));
    }
  }
}
