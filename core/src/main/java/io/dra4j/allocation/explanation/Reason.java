package io.dra4j.allocation.explanation;

import io.dra4j.allocation.internal.text.TextFormat;
import io.dra4j.common.SimilarNames;
import io.dra4j.inventory.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One reason why claims do not fit on a node. Each kind is a record with what is known of it;
 * {@link #text} says it in a sentence, and {@link #summary} in a few words that are the same for
 * all nodes that refuse for the same.
 */
public sealed interface Reason {

  /**
   * Says in full why, for people.
   *
   * @return one sentence that names claims, devices and holders; may have several lines where it
   *     repeats an error of an expression
   */
  String text();

  /**
   * Says in full why, in a form for terminals and logs: control characters are escaped, also line
   * breaks except where an error of an expression is repeated, and what is longer than 2,000
   * characters is cut in the middle.
   *
   * @return what {@link #text} says, bounded
   */
  default String line() {
    return TextFormat.line(text(), this instanceof Fault);
  }

  /**
   * Says in full why, without the names of the claims in front, for readers who know them.
   *
   * @return {@link #text} without its beginning; all of it where the reason is not about claims
   */
  default String statement() {
    return text();
  }

  /**
   * Says in full why, without the names of the claims in front, bounded as {@link #line} is.
   *
   * @return what {@link #statement} says, bounded
   */
  default String statementLine() {
    return TextFormat.line(statement(), this instanceof Fault);
  }

  /**
   * Says in short why, without names of nodes, devices and holders.
   *
   * @return the end of the sentence "3 nodes: "
   */
  String summary();

  /**
   * Returns the parts of the claims that this reason is about.
   *
   * @return requests and constraints; empty if it is about the node or the input
   */
  default List<Requirement> requirements() {
    return List.of();
  }

  /**
   * Returns the devices of requested classes that could not be had.
   *
   * @return devices, each once for each request in question; the first one for each alternative
   *     after the eighth, which is as many as the API allows
   */
  default List<ExcludedDevice> refused() {
    return List.of();
  }

  /**
   * Requests that find fewer devices than they want.
   *
   * @param requirements the requests, which want the same
   * @param deviceClass the class that they ask for
   * @param wanted how many devices they want together
   * @param all whether they want all devices of the class
   * @param available how many can be had
   * @param ofClass how many devices of the class the node has
   * @param onNode how many devices the node has
   * @param refused those of the class that cannot be had
   * @param reasons why these are not allocated, for example {@code 2 are in use by
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

    /** Whether the node would have devices enough if all could be had; some are for other nodes. */
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
        return "the node has only %d, of which %s can be had: %s"
            .formatted(ofClass, available == 0 ? "none" : String.valueOf(available), reasons);
      }
      return "of the node's %d %s can be had: %s"
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
          case SELECTOR -> end = " that the request's selectors choose";
          case FAULT -> end = " that the request's selectors can be evaluated on";
          case COUNTERS -> end = " with shared counters left";
          case CAPACITY -> end = " with the capacity that is asked for";
          default -> kind = " usable";
        }
      }
      return number + kind + devices + " of class " + TextFormat.name(deviceClass) + end;
    }
  }

  /**
   * Requests each of which finds its devices, but which want partly the same ones.
   *
   * @param requirements the requests, two or more
   * @param wanted how many devices they want together
   * @param available how many different devices can be had for them
   * @param refused devices of the classes in question that cannot be had
   * @param reasons why these are not allocated; empty if there are none
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
                  ? "only 1 comes into question for them"
                  : "only " + available + " come into question for them",
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
   * A request that wants more devices than a claim can have.
   *
   * @param request the request
   * @param wanted how many devices it wants
   * @param limit how many a claim can have
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
   * A constraint that compares an attribute which no device in question has.
   *
   * @param constraint the constraint
   * @param request the request whose devices lack the attribute
   * @param attribute the attribute, {@code domain/name}
   * @param near attributes of these devices that may have been meant, the likeliest first
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
   * What one request finds of a value.
   *
   * @param request the request
   * @param wanted how many devices it wants
   * @param found how many devices that can be had have the value
   */
  record Share(Requirement.Request request, long wanted, int found) {}

  /**
   * A constraint on a common value for which no value has enough devices.
   *
   * @param constraint the constraint
   * @param sameFindings how many more constraints find the same
   * @param attribute the attribute, {@code domain/name}
   * @param values how many values there are
   * @param nearest the value with the most devices
   * @param devices how many devices have the nearest value and are found by some request
   * @param shares what each request wants and what it finds of the nearest value
   * @param apart the values that each request finds, where no value is found by all of them; empty
   *     otherwise
   * @param refused devices of the classes in question that cannot be had
   * @param reasons why these are not allocated; empty if there are none
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

    private static final int MAX_SHARES = 32; // as many requests as the API allows

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
        found.append(" and those for ").append(shares.size() - MAX_SHARES).append(" more requests");
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
   * Sets of requests, each set with a value of its own in common, of which there are too many.
   *
   * @param constraint the constraint of the first set
   * @param members the requests of the first set
   * @param attribute the attribute, {@code domain/name}
   * @param wanted how many such sets the claim has
   * @param room how many of them find their devices
   * @param refused devices of the classes in question that cannot be had
   * @param reasons why these are not allocated; empty if there are none
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
   * A pool whose devices cannot be allocated, because its slices are not all there or contradict
   * each other.
   *
   * @param pool the pool
   * @param incomplete whether slices are missing or too many; otherwise they contradict each other
   * @param problem what is wrong
   * @param ofClass how many of its devices are of a class that the claims ask for
   */
  record UnusablePool(PoolId pool, boolean incomplete, String problem, int ofClass)
      implements Reason {
    @Override
    public String text() {
      String state = incomplete ? "incomplete" : "invalid";
      String devices =
          ofClass == 0
              ? "none of its devices can be had"
              : "none of its devices can be had, of which " + ofClass + " would come into question";
      return "pool " + pool + " is " + state + " (" + problem + "): " + devices;
    }

    @Override
    public String summary() {
      return "a pool of driver " + pool.driver() + " is " + (incomplete ? "incomplete" : "invalid");
    }
  }

  /**
   * A request with alternatives, none of which finds its devices.
   *
   * @param request the request
   * @param alternatives why, for each of them, best first
   */
  record NoAlternative(Requirement.Request request, List<Reason> alternatives) implements Reason {

    private static final int MAX_TOLD = 8; // as many alternatives as the API allows
    private static final int MAX_COMPARED = 64; // of more, the first ones say it

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
          + " alternatives can be had: "
          + alternatives.stream()
              .limit(MAX_TOLD)
              .map(Reason::statement)
              .collect(Collectors.joining("; "))
          + (alternatives.size() > MAX_TOLD
              ? "; and " + (alternatives.size() - MAX_TOLD) + " more"
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
                      .limit(MAX_TOLD)
                      .collect(Collectors.joining(", "))
                  + (alternatives.size() > MAX_TOLD ? " and more" : ""));
    }
  }

  /**
   * Claims of which each request finds its devices, but not all of them at once.
   *
   * @param claims the names of the claims
   * @param cause what keeps the devices apart, which completes "there are enough devices, but";
   *     empty if it is no single thing
   * @param refused devices of the classes in question that cannot be had
   * @param reasons why these are not allocated; empty if there are none
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
   * A fault of the claims, a class, a selector or a slice.
   *
   * @param error which object is at fault, and what is wrong with it
   * @param hints what may have been meant; the likeliest first
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
   * @param reason why
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
   * Not everything could be worked out: the time was over before, or a policy could not decide.
   *
   * @param reason which of both, and how far this came
   */
  record Undecided(String reason) implements Reason {
    @Override
    public String text() {
      return reason;
    }

    @Override
    public String summary() {
      return "not everything could be worked out";
    }
  }
}
