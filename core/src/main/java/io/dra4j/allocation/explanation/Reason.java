package io.dra4j.allocation.explanation;

import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.SimilarNames;
import io.dra4j.inventory.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One reason why claims do not fit on a node. Each kind is a record with the known facts. {@link
 * #text} is a full sentence; {@link #summary} is a short text that is equal for all nodes with the
 * same reason.
 */
public sealed interface Reason {

  /**
   * {@return the full reason as one sentence that names claims, devices and holders; it may have
   * several lines if it contains an error of an expression}
   */
  String text();

  /**
   * {@return the {@link #text} in a form for terminals and logs} Control characters are escaped,
   * including line breaks, except in the error of an expression. Text longer than 2,000 characters
   * is cut in the middle.
   */
  default String line() {
    return TextFormat.line(text(), this instanceof Fault);
  }

  /**
   * Returns the full reason without the leading names of the claims, for readers who know them.
   *
   * @return {@link #text} without its beginning; all of it if the reason does not concern claims
   */
  default String statement() {
    return text();
  }

  /**
   * Returns the full reason without the leading names of the claims, bounded like {@link #line}.
   *
   * @return the {@link #statement}, bounded
   */
  default String statementLine() {
    return TextFormat.line(statement(), this instanceof Fault);
  }

  /** {@return a short reason to follow "3 nodes: ", without names of nodes, devices and holders} */
  String summary();

  /** {@return the requests and constraints in question; empty for a reason in the node or input} */
  default List<Requirement> requirements() {
    return List.of();
  }

  /**
   * {@return the devices of requested classes that could not be allocated, each once for each
   * affected request; only one device for each alternative after the eighth, the maximum of the
   * API}
   */
  default List<ExcludedDevice> refused() {
    return List.of();
  }

  /**
   * Requests that find fewer devices than they need.
   *
   * @param requirements the requests, which are equal
   * @param deviceClass the requested class
   * @param wanted the number of devices that they need together
   * @param all whether they need all devices of the class
   * @param available the number of devices that can be allocated
   * @param ofClass the number of devices of the class on the node
   * @param onNode the number of devices of the node
   * @param refused the devices of the class that cannot be allocated
   * @param reasons the reasons of the refused devices, for example {@code 2 are in use by
   *     default/train-0}; empty if there are none
   */
  record TooFewDevices(
      List<Requirement> requirements,
      String deviceClass,
      long wanted,
      boolean all,
      int available,
      int ofClass,
      int onNode,
      List<ExcludedDevice> refused,
      String reasons)
      implements Reason {

    /** Copies the lists. {@inheritDoc} */
    public TooFewDevices {
      requirements = List.copyOf(requirements);
      refused = List.copyOf(refused);
    }

    @Override
    public String text() {
      return "claim " + requirements.get(0).claim() + ", " + statement();
    }

    @Override
    public String statement() {
      int more = requirements.size() - 1;
      String subject =
          requirements.get(0).text() + (more > 0 ? " and " + more + " more like it" : "");
      String needs = more > 0 ? ": together need " : ": needs ";
      String number =
          all
              ? (wanted > 1 ? "all " + TextFormat.devices(wanted) : "all devices")
              : TextFormat.devices(wanted);
      return subject
          + needs
          + number
          + " of class "
          + TextFormat.name(deviceClass)
          + ", but "
          + found();
    }

    /**
     * Whether the node would have enough devices if all could be allocated; some are for other
     * nodes.
     */
    private boolean isEnough() {
      return all
          || ofClass >= wanted
          || refused.stream().anyMatch(one -> one.rule() == ExclusionCause.NODE);
    }

    private String found() {
      if (onNode == 0) {
        return "the node has no devices" + (reasons.isEmpty() ? "" : ": " + reasons);
      } else if (ofClass == 0) {
        String none =
            onNode == 1
                ? "the node's only device is not of that class"
                : "none of the node's " + onNode + " devices is of that class";
        return none + (reasons.isEmpty() ? "" : ": " + reasons);
      } else if (refused.isEmpty()) {
        return "the node has only " + ofClass;
      } else if (ofClass == 1) {
        return "the node's only one " + refused.get(0).reason();
      } else if (!isEnough()) {
        return "the node has only %d, of which %s can be allocated: %s"
            .formatted(ofClass, available == 0 ? "none" : String.valueOf(available), reasons);
      }
      return "of the node's %d %s can be allocated: %s"
          .formatted(ofClass, available == 0 ? "none" : "only " + available, reasons);
    }

    @Override
    public String summary() {
      if (ofClass == 0) {
        return "no device of class " + TextFormat.name(deviceClass);
      } else if (!isEnough()) {
        return "node has %s of class %s, %d are requested"
            .formatted(TextFormat.devices(ofClass), TextFormat.name(deviceClass), wanted);
      }
      String number = wanted == 1 ? "no" : "fewer than " + wanted;
      String devices = wanted == 1 ? " device" : " devices";
      List<ExclusionCause> rules = refused.stream().map(ExcludedDevice::rule).distinct().toList();
      String kind = "";
      String end = "";
      if (rules.size() > 1) {
        kind = " usable";
      } else if (rules.size() == 1) {
        switch (rules.get(0)) {
          case USAGE -> kind = " free";
          case TAINTS -> kind = " untainted";
          case SELECTOR -> end = " that the request's selectors match";
          case FAULT -> end = " on which the request's selectors can be evaluated";
          case COUNTERS -> end = " with shared counters left";
          case CAPACITY -> end = " with the requested capacity";
          default -> kind = " usable";
        }
      }
      return number + kind + devices + " of class " + TextFormat.name(deviceClass) + end;
    }
  }

  /**
   * Requests that each find enough devices, but that compete for some of the same devices.
   *
   * @param requirements the requests, two or more
   * @param wanted the number of devices that they need together
   * @param available the number of different devices that can be allocated to them
   * @param refused devices of the requested classes that cannot be allocated
   * @param reasons the reasons of the refused devices; empty if there are none
   */
  record TooFewForAll(
      List<Requirement> requirements,
      long wanted,
      int available,
      List<ExcludedDevice> refused,
      String reasons)
      implements Reason {

    private static final int MAX_REQUESTS = 4;

    /** Copies the lists. {@inheritDoc} */
    public TooFewForAll {
      requirements = List.copyOf(requirements);
      refused = List.copyOf(refused);
    }

    @Override
    public String text() {
      return (claims().size() == 1 ? "claim " : "claims ")
          + TextFormat.list(claims(), MAX_REQUESTS)
          + ": "
          + statement();
    }

    private List<String> claims() {
      return requirements.stream().map(part -> part.claim().toString()).distinct().toList();
    }

    @Override
    public String statement() {
      return "%s need %s, but %s%s"
          .formatted(
              claims().size() == 1
                  ? "requests " + requests() + " together"
                  : "their requests " + requests() + " together",
              TextFormat.devices(wanted),
              available == 1
                  ? "only 1 can be allocated to them"
                  : "only " + available + " can be allocated to them",
              reasons.isEmpty() ? "" : "; " + reasons);
    }

    private String requests() {
      return TextFormat.list(
          requirements.stream()
              .map(part -> part instanceof Requirement.Request it ? it.request() : part.text())
              .toList(),
          MAX_REQUESTS);
    }

    @Override
    public String summary() {
      return "fewer than %s for requests %s together"
          .formatted(TextFormat.devices(wanted), requests());
    }
  }

  /**
   * A request that needs more devices than a claim can have.
   *
   * @param request the request
   * @param wanted the number of devices that it needs
   * @param limit the maximum number of devices of a claim
   */
  record TooManyDevices(Requirement.Request request, long wanted, int limit) implements Reason {
    @Override
    public List<Requirement> requirements() {
      return List.of(request);
    }

    @Override
    public String text() {
      return "claim " + request.claim() + ", " + statement();
    }

    @Override
    public String statement() {
      return "%s: needs %s, but a claim can have no more than %d"
          .formatted(request.text(), TextFormat.devices(wanted), limit);
    }

    @Override
    public String summary() {
      return request.text() + " needs more than the " + limit + " devices that a claim can have";
    }
  }

  /**
   * A constraint on an attribute that no candidate device has.
   *
   * @param constraint the constraint
   * @param request the request whose devices lack the attribute
   * @param attribute the attribute, {@code domain/name}
   * @param near attributes of these devices that the author may have meant, the likeliest first
   */
  record MissingAttribute(
      Requirement.Constraint constraint,
      Requirement.Request request,
      String attribute,
      List<String> near)
      implements Reason {

    /** Copies the list. {@inheritDoc} */
    public MissingAttribute {
      near = List.copyOf(near);
    }

    @Override
    public List<Requirement> requirements() {
      return List.of(constraint, request);
    }

    @Override
    public String text() {
      return "claim " + constraint.claim() + ": " + statement();
    }

    @Override
    public String statement() {
      return "no device for %s has the attribute %s, which a constraint compares%s"
          .formatted(request.text(), TextFormat.name(attribute), SimilarNames.hint(near));
    }

    @Override
    public String summary() {
      return "no device for %s has the attribute %s"
          .formatted(request.text(), TextFormat.name(attribute));
    }
  }

  /**
   * The devices with one value that a request finds.
   *
   * @param request the request
   * @param wanted the number of devices that it needs
   * @param found the number of devices with the value that can be allocated
   */
  record Share(Requirement.Request request, long wanted, int found) {}

  /**
   * A constraint on a common value where no value has enough devices.
   *
   * @param constraint the constraint
   * @param sameFindings the number of other constraints with the same result
   * @param attribute the attribute, {@code domain/name}
   * @param values the number of values
   * @param nearest the value with the most devices
   * @param devices the number of devices with the nearest value that any request finds
   * @param shares the demand of each request and the devices with the nearest value that it finds
   * @param apart the values that each request finds, if no value is found by all of them; empty
   *     otherwise
   * @param refused devices of the requested classes that cannot be allocated
   * @param reasons the reasons of the refused devices; empty if there are none
   */
  record NoCommonValue(
      Requirement.Constraint constraint,
      int sameFindings,
      String attribute,
      int values,
      String nearest,
      int devices,
      List<Share> shares,
      String apart,
      List<ExcludedDevice> refused,
      String reasons)
      implements Reason {

    private static final int MAX_SHARES = 32; // the maximum number of requests in the API

    /** Copies the lists. {@inheritDoc} */
    public NoCommonValue {
      shares = List.copyOf(shares);
      refused = List.copyOf(refused);
    }

    @Override
    public List<Requirement> requirements() {
      List<Requirement> all = new ArrayList<>();
      all.add(constraint);
      shares.forEach(share -> all.add(share.request()));
      return all;
    }

    @Override
    public String text() {
      return "claim " + constraint.claim() + ": " + statement();
    }

    @Override
    public String statement() {
      StringBuilder text = new StringBuilder(summary());
      if (!apart.isEmpty()) {
        text.append(": ").append(apart);
      } else {
        text.append(values == 1 ? "; the only value, " : "; the best of " + values + " values, ");
        text.append(nearest).append(", has ");
        text.append(
            shares.stream()
                .limit(MAX_SHARES)
                .map(share -> String.valueOf(share.found()))
                .collect(Collectors.joining(" and ")));
        if (shares.size() > MAX_SHARES) {
          text.append(" and others");
        }
        if (shares.stream().mapToInt(Share::found).sum() > devices) {
          text.append(", which are the same ").append(devices);
        }
      }
      if (!reasons.isEmpty()) {
        text.append("; ").append(reasons);
      }
      if (sameFindings > 0) {
        text.append(" (").append(sameFindings).append(" more constraints find the same)");
      }
      return text.toString();
    }

    @Override
    public String summary() {
      long total = shares.stream().mapToLong(Share::wanted).sum();
      StringBuilder found = new StringBuilder();
      for (Share share : shares.subList(0, Math.min(shares.size(), MAX_SHARES))) {
        String noun = share.wanted() == 1 ? " free device" : " free devices";
        found.append(found.isEmpty() ? share.wanted() + noun : " and " + share.wanted());
        found.append(" for ").append(TextFormat.name(share.request().request()));
      }
      if (shares.size() > MAX_SHARES) {
        found
            .append(" and the devices for ")
            .append(shares.size() - MAX_SHARES)
            .append(" more requests");
      }
      return "no %s has %s, and %s needs %s to share one"
          .formatted(
              TextFormat.valueOf(attribute),
              found,
              TextFormat.comparison(constraint.constraint()),
              total == 2 ? "both" : "all " + total);
    }
  }

  /**
   * Sets of requests, where each set needs a common value of its own, and there are more sets than
   * such values.
   *
   * @param constraint the constraint of the first set
   * @param members the requests of the first set
   * @param attribute the attribute, {@code domain/name}
   * @param wanted the number of such sets in the claim
   * @param room the number of sets that find their devices
   * @param refused devices of the requested classes that cannot be allocated
   * @param reasons the reasons of the refused devices; empty if there are none
   */
  record TooFewGroups(
      Requirement.Constraint constraint,
      List<Requirement.Request> members,
      String attribute,
      int wanted,
      long room,
      List<ExcludedDevice> refused,
      String reasons)
      implements Reason {

    /** Copies the lists. {@inheritDoc} */
    public TooFewGroups {
      members = List.copyOf(members);
      refused = List.copyOf(refused);
    }

    @Override
    public List<Requirement> requirements() {
      List<Requirement> all = new ArrayList<>(members);
      all.add(constraint);
      return all;
    }

    @Override
    public String text() {
      return "claim %s: needs %d sets of devices like %s, each set on one %s, but the free devices make %s%s"
          .formatted(
              constraint.claim(),
              wanted,
              TextFormat.list(members.stream().map(Requirement.Request::request).toList(), 4),
              TextFormat.valueOf(attribute),
              room == 0 ? "none" : "only " + room,
              reasons.isEmpty() ? "" : "; " + reasons);
    }

    @Override
    public String summary() {
      return "fewer than %d sets of free devices like %s, each set on one %s"
          .formatted(
              wanted,
              TextFormat.list(members.stream().map(Requirement.Request::request).toList(), 4),
              TextFormat.valueOf(attribute));
    }
  }

  /**
   * A pool whose devices cannot be allocated, because its slices are incomplete or contradict each
   * other.
   *
   * @param pool the pool
   * @param incomplete whether there are missing or surplus slices; otherwise the slices contradict
   *     each other
   * @param problem the problem
   * @param ofClass the number of its devices that are of a class that the claims request
   */
  record UnusablePool(PoolId pool, boolean incomplete, String problem, int ofClass)
      implements Reason {
    @Override
    public String text() {
      String state = incomplete ? "incomplete" : "invalid";
      String devices =
          ofClass == 0
              ? "none of its devices can be allocated"
              : ("none of its devices can be allocated; "
                      + "%d of them %s of a class that the claims request")
                  .formatted(ofClass, ofClass == 1 ? "is" : "are");
      return "pool " + pool + " is " + state + " (" + problem + "): " + devices;
    }

    @Override
    public String summary() {
      return "a pool of driver " + pool.driver() + " is " + (incomplete ? "incomplete" : "invalid");
    }
  }

  /**
   * A request with alternatives, where no alternative finds its devices.
   *
   * @param request the request
   * @param alternatives the reason of each alternative, best first
   */
  record NoAlternative(Requirement.Request request, List<Reason> alternatives) implements Reason {

    private static final int MAX_LISTED = 8; // the maximum number of alternatives in the API
    private static final int MAX_COMPARED = 64; // further alternatives are not compared

    /** Copies the list. {@inheritDoc} */
    public NoAlternative {
      alternatives = List.copyOf(alternatives);
    }

    @Override
    public List<Requirement> requirements() {
      return List.of(request);
    }

    @Override
    public List<ExcludedDevice> refused() {
      return alternatives.stream().flatMap(refusal -> refusal.refused().stream()).toList();
    }

    @Override
    public String text() {
      return "claim " + request.claim() + ", " + statement();
    }

    @Override
    public String statement() {
      return request.text()
          + ": none of its "
          + alternatives.size()
          + " alternatives can be allocated: "
          + alternatives.stream()
              .limit(MAX_LISTED)
              .map(Reason::statement)
              .collect(Collectors.joining("; "))
          + (alternatives.size() > MAX_LISTED
              ? "; and " + (alternatives.size() - MAX_LISTED) + " more"
              : "");
    }

    @Override
    public String summary() {
      return "no alternative of %s: %s"
          .formatted(
              request.text(),
              alternatives.stream()
                      .limit(MAX_COMPARED)
                      .map(Reason::summary)
                      .distinct()
                      .limit(MAX_LISTED)
                      .collect(Collectors.joining(", "))
                  + (alternatives.size() > MAX_LISTED ? " and more" : ""));
    }
  }

  /**
   * Claims where each request finds its devices alone, but not all requests at once.
   *
   * @param claims the names of the claims
   * @param cause the cause, which completes "there are enough devices, but"; empty if there is no
   *     single cause
   * @param refused devices of the requested classes that cannot be allocated
   * @param reasons the reasons of the refused devices; empty if there are none
   */
  record NotTogether(
      List<String> claims, String cause, List<ExcludedDevice> refused, String reasons)
      implements Reason {

    /** Copies the lists. {@inheritDoc} */
    public NotTogether {
      claims = List.copyOf(claims);
      refused = List.copyOf(refused);
    }

    @Override
    public String text() {
      return (claims.size() == 1 ? "claim " : "claims ")
          + TextFormat.list(claims, 4)
          + ": "
          + statement();
    }

    @Override
    public String statement() {
      return summary() + (reasons.isEmpty() ? "" : "; " + reasons);
    }

    @Override
    public String summary() {
      return cause.isEmpty()
          ? "each request finds devices by itself, but not all of them at once"
          : "there are enough devices, but " + cause;
    }
  }

  /**
   * An error of the claims, a class, a selector or a slice.
   *
   * @param error the object with the error, and the problem
   * @param hints likely corrections; the likeliest first
   */
  record Fault(String error, List<String> hints) implements Reason {

    /** Copies the list. {@inheritDoc} */
    public Fault {
      hints = List.copyOf(hints);
    }

    @Override
    public String text() {
      return hints.isEmpty() ? error : error + "; " + hints.get(0);
    }

    @Override
    public String summary() {
      return error;
    }
  }

  /**
   * The policy of the allocator refused, although a valid allocation exists.
   *
   * @param reason the reason of the policy
   */
  record ByPolicy(String reason) implements Reason {
    @Override
    public String text() {
      return reason;
    }

    @Override
    public String summary() {
      return reason;
    }
  }

  /**
   * Not all reasons could be found: the time limit passed, or a policy could not decide.
   *
   * @param reason the cause, and the progress until then
   */
  record Undecided(String reason) implements Reason {
    @Override
    public String text() {
      return reason;
    }

    @Override
    public String summary() {
      return "not all reasons could be found";
    }
  }
}
