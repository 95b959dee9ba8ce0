package io.dra4j.allocation.explanation;

import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.PrintableText;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceConstraint;

/** A part of a claim that a valid allocation must fulfil. */
public sealed interface Requirement {

  /** {@return the namespace and name of the claim that this requirement is a part of} */
  ClaimKey claim();

  /** {@return the requirement in a few words, without claim, for example {@code request gpus}} */
  String text();

  /**
   * A request for devices, including its class.
   *
   * @param claim the claim
   * @param request the name of the request; {@code request/alternative} for one of several
   *     alternatives
   */
  record Request(ClaimKey claim, String request) implements Requirement {
    @Override
    public String text() {
      return "request " + TextFormat.name(request);
    }

    /** The claim and the description of the requirement. */
    @Override
    public String toString() {
      return PrintableText.of("claim " + claim + ", " + text());
    }
  }

  /**
   * A selector of a request. Selectors of classes belong to the request itself.
   *
   * @param claim the claim
   * @param request the name of the request
   * @param index the index of the selector in the request, from 0
   * @param expression the selector in CEL
   */
  record Selector(ClaimKey claim, String request, int index, String expression)
      implements Requirement {
    @Override
    public String text() {
      return "selector #%d of request %s (%s)".formatted(index, request, expression.strip());
    }

    /** The claim and the description of the requirement. */
    @Override
    public String toString() {
      return PrintableText.of("claim " + claim + ", " + text());
    }
  }

  /**
   * A constraint between requests.
   *
   * @param claim the claim
   * @param index the index of the constraint in the claim, from 0
   * @param constraint the constraint
   */
  record Constraint(ClaimKey claim, int index, DeviceConstraint constraint) implements Requirement {
    @Override
    public String text() {
      String comparison = TextFormat.comparison(constraint);
      return (comparison.isEmpty() ? "constraint #" + index : comparison)
          + (constraint.requests().isEmpty()
              ? " of all requests"
              : " of " + TextFormat.list(constraint.requests(), 4));
    }

    /** The claim and the description of the requirement. */
    @Override
    public String toString() {
      return PrintableText.of("claim " + claim + ", " + text());
    }
  }
}
