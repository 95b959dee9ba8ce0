package io.dra4j.allocation;

import io.dra4j.model.Device;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A custom condition on the devices that a claim gets together, in addition to the rules of
 * Kubernetes and the claim. Examples: no two ports of one card, no devices of a rack under
 * maintenance. An allocator with such a rule still chooses the first devices that all rules accept:
 *
 * <pre>{@code
 * ClaimRule oneOfACard = ClaimRule.of("one-of-a-card", (given, next) ->
 *     given.stream().anyMatch(other -> card(other.device()).equals(card(next.device())))
 *         ? Optional.of("the claim has a port of its card already") : Optional.empty());
 * Allocator allocator = Allocator.builder().selectors(selectors).addRule(oneOfACard).build();
 * }</pre>
 *
 * <p>A rule must fulfil these conditions, which {@code ClaimRuleKit} of module testkit checks:
 *
 * <ul>
 *   <li>It is monotonic: a refused device stays refused if the claim gets more devices. The search
 *       relies on this when it does not try a refused device again.
 *   <li>It depends only on the given devices and the next device, not on their order, on earlier
 *       calls or on time.
 *   <li>It is fast, because it is called for each device that is tried, and it is thread-safe. The
 *       time limit of the allocator does not interrupt it.
 * </ul>
 *
 * <p>If a rule throws an exception, the allocation throws it.
 */
public interface ClaimRule {

  /**
   * A device for a request.
   *
   * @param request {@code request} or {@code request/alternative}, as in the result of the claim
   * @param device the device, with the taints of taint rules
   */
  record Given(String request, Device device) {

    /** Rejects null. {@inheritDoc} */
    public Given {
      Objects.requireNonNull(request, "request");
      Objects.requireNonNull(device, "device");
    }
  }

  /**
   * Returns a rule.
   *
   * @param name as {@link #name}
   * @param refuses as {@link #refuses}
   * @return the rule
   */
  static ClaimRule of(String name, BiFunction<List<Given>, Given, Optional<String>> refuses) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(refuses, "refuses");
    return new ClaimRule() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Optional<String> refuses(List<Given> given, Given next) {
        return refuses.apply(given, next);
      }

      @Override
      public String toString() {
        return name;
      }
    };
  }

  /** {@return the name of this rule in explanations, for example {@code one-of-a-card}} */
  String name();

  /**
   * {@return the reason to refuse a device, which completes "the device is refused because"; empty
   * if the claim may have the device}
   *
   * @param given the devices that the claim has so far, in unspecified order; must not be changed
   * @param next the device that it would get next
   */
  Optional<String> refuses(List<Given> given, Given next);
}
