package io.dra4j.allocation;

import io.dra4j.model.Device;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A condition of one's own on the devices that a claim gets together, besides those of Kubernetes
 * and of the claim: no two ports of one card, nothing from a rack that is being serviced. An
 * allocator with such a rule still takes the first devices that all rules let pass:
 *
 * <pre>{@code
 * ClaimRule oneOfACard = ClaimRule.of("one-of-a-card", (given, next) ->
 *     given.stream().anyMatch(other -> card(other.device()).equals(card(next.device())))
 *         ? Optional.of("the claim has a port of its card already") : Optional.empty());
 * Allocator allocator = Allocator.builder().selectors(selectors).addRule(oneOfACard).build();
 * }</pre>
 *
 * <p>What a rule has to keep to, and {@code ClaimRuleKit} of the module testkit checks:
 *
 * <ul>
 *   <li>It is monotonic: a device that is refused is refused however many devices the claim is
 *       given besides. The search relies on it when it does not try what was refused once.
 *   <li>It depends on the given devices and the next one alone, not on their order, on earlier
 *       questions or on time.
 *   <li>It is fast, since it is asked about each device that is tried, and it may be called by
 *       several threads. The time limit of the allocator does not interrupt it.
 * </ul>
 *
 * <p>What a rule throws, the allocation throws.
 */
public interface ClaimRule {

  /**
   * A device for a request.
   *
   * @param request {@code request} or {@code request/alternative}, as in the result of the claim
   * @param device the device, with the taints of taint rules
   */
  record Given(String request, Device device) {

    /** Refuses null. {@inheritDoc} */
    public Given {
      Objects.requireNonNull(request, "request");
      Objects.requireNonNull(device, "device");
    }
  }

  /**
   * Makes a rule.
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

  /**
   * Returns what explanations call this rule.
   *
   * @return a name, {@code one-of-a-card} for example
   */
  String name();

  /**
   * Decides on a device.
   *
   * @param given what the claim is given so far, in no order to rely on; not to be changed
   * @param next what it would be given next
   * @return why not, which completes "the device is refused because"; empty if it may have it
   */
  Optional<String> refuses(List<Given> given, Given next);
}
