package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.common.SimilarNames;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.InventoryDevice;
import io.dra4j.inventory.InventoryEvent.ClassPut;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proposes to replace misspelled names in selectors and requests by similar names that exist:
 * domains, attributes, drivers and classes.
 */
public final class NearNameAdvisor implements BuiltInAdvisor {

  private static final Pattern LITERAL =
      Pattern.compile("\"([^\"\\\\]{1,128})\"|'([^'\\\\]{1,128})'");
  private static final Pattern MEMBER =
      Pattern.compile("(?<=[\\])]\\.)[A-Za-z_][A-Za-z0-9_]{0,62}");

  private static final int NAMES_PER_LOOK = 4_096;

  /** The maximum number of changes of one expression that are tried. */
  private static final int MAX_CHANGES = 16;

  @Override
  public List<Suggestion> suggest(AdvisorRun problem) {
    List<Suggestion> suggestions = new ArrayList<>();
    Names names = Names.of(problem);
    for (ResourceClaim claim : problem.claims()) {
      for (DeviceRequest request : claim.spec().requests()) {
        if (problem.isOver()) {
          return suggestions;
        }
        if (request.exactly() != null) {
          add(claim, request.name(), request.exactly(), names, problem, suggestions);
        }
        for (DeviceSubRequest sub : request.firstAvailable()) {
          if (problem.isOver()) {
            return suggestions;
          }
          String name = request.name() + "/" + sub.name();
          add(claim, name, sub.request(), names, problem, suggestions);
        }
      }
    }
    return suggestions;
  }

  /** The names that the node's devices have. */
  private record Names(Set<String> domains, Set<String> ids) {

    static Names of(AdvisorRun problem) {
      Set<String> domains = new TreeSet<>();
      Set<String> ids = new TreeSet<>();
      for (InventoryDevice device : problem.devices()) {
        if (problem.isOver()) {
          break;
        }
        domains.add(device.id().driver());
        add(device.device().attributes(), domains, ids, problem);
        add(device.device().capacity(), domains, ids, problem);
      }
      return new Names(domains, ids);
    }

    private static void add(
        Map<String, ?> values, Set<String> domains, Set<String> ids, AdvisorRun problem) {
      int round = 0;
      for (String name : values.keySet()) {
        if (++round % NAMES_PER_LOOK == 0 && problem.isOver()) {
          return;
        }
        int slash = name.indexOf('/');
        if (slash >= 0) {
          domains.add(name.substring(0, slash));
        }
        ids.add(name.substring(slash + 1));
      }
    }
  }

  private static void add(
      ResourceClaim claim,
      String request,
      ExactDeviceRequest exactly,
      Names names,
      AdvisorRun problem,
      List<Suggestion> suggestions) {
    DeviceClass deviceClass =
        problem.inventory().deviceClass(exactly.deviceClassName()).orElse(null);
    if (deviceClass == null) {
      addClasses(claim, request, exactly.deviceClassName(), problem, suggestions);
      return;
    }
    for (Change change : changes(exactly.selectors(), names)) {
      suggestions.add(
          new Suggestion(
              "write %s instead of %s in request %s".formatted(change.to, change.from, request),
              problem.inventory(),
              ClaimRelaxation.changeRequest(
                  problem.claims(),
                  new Requirement.Request(ClaimKey.of(claim), request),
                  same -> same.toBuilder().selectors(change.selectors).build())));
    }
    for (Change change : changes(deviceClass.selectors(), names)) {
      DeviceInventory changed =
          problem
              .inventory()
              .apply(
                  List.of(
                      new ClassPut(deviceClass.toBuilder().selectors(change.selectors).build())));
      suggestions.add(
          new Suggestion(
              "write %s instead of %s in class %s"
                  .formatted(change.to, change.from, exactly.deviceClassName()),
              changed,
              problem.claims()));
    }
  }

  private static void addClasses(
      ResourceClaim claim,
      String request,
      String missing,
      AdvisorRun problem,
      List<Suggestion> suggestions) {
    for (String near : SimilarNames.of(missing, problem.inventory().deviceClasses())) {
      suggestions.add(
          new Suggestion(
              "ask for class %s instead of %s in request %s".formatted(near, missing, request),
              problem.inventory(),
              ClaimRelaxation.changeRequest(
                  problem.claims(),
                  new Requirement.Request(ClaimKey.of(claim), request),
                  same -> same.toBuilder().deviceClass(near).build())));
    }
  }

  /** {@return a question if a literal in selectors is similar to a driver's name; else empty} */
  public static String driverMeant(List<DeviceSelector> selectors, Set<String> drivers) {
    List<Change> changes = changes(selectors, new Names(drivers, Set.of()));
    return changes.isEmpty()
        ? ""
        : "did you mean %s instead of %s?".formatted(changes.get(0).to, changes.get(0).from);
  }

  private record Change(String from, String to, List<DeviceSelector> selectors) {}

  private static List<Change> changes(List<DeviceSelector> selectors, Names names) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < selectors.size(); i++) {
      String expression = selectors.get(i).expression();
      if (expression != null) {
        add(expression, i, LITERAL, names.domains, selectors, changes);
        add(expression, i, MEMBER, names.ids, selectors, changes);
      }
    }
    return changes;
  }

  private static void add(
      String expression,
      int index,
      Pattern pattern,
      Set<String> known,
      List<DeviceSelector> selectors,
      List<Change> changes) {
    Set<String> written = new LinkedHashSet<>();
    Matcher matcher = pattern.matcher(expression);
    while (matcher.find()) {
      written.add(matcher.group());
    }
    for (String token : written) {
      boolean quoted = pattern == LITERAL;
      String name = quoted ? token.substring(1, token.length() - 1) : token;
      if (known.contains(name)) {
        continue;
      }
      for (String near : SimilarNames.of(name, known)) {
        if (changes.size() >= MAX_CHANGES) {
          return;
        }
        String other = quoted ? token.charAt(0) + near + token.charAt(0) : near;
        List<DeviceSelector> changed = new ArrayList<>(selectors);
        changed.set(
            index,
            DeviceSelector.cel(
                quoted
                    ? expression.replace(token, other)
                    : pattern
                        .matcher(expression)
                        .replaceAll(
                            found ->
                                Matcher.quoteReplacement(
                                    found.group().equals(token) ? other : found.group()))));
        changes.add(new Change(token, other, changed));
      }
    }
  }
}
