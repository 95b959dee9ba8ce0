package io.dra4j.allocation.internal.explain;

import io.dra4j.allocation.explanation.Requirement;
import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSelector;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceClaimSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Splits claims into requirements and creates changed claims, to find conflicting requirements. */
public final class ClaimRelaxation {

  private ClaimRelaxation() {}

  /**
   * {@return all parts without which claims require less: constraints, then selectors, then
   * requests, the last ones first} Selectors of requests for all devices are not among them:
   * without them, more devices are required.
   */
  public static List<Requirement> requirementsOf(List<ResourceClaim> claims) {
    List<Requirement> constraints = new ArrayList<>();
    List<Requirement> selectors = new ArrayList<>();
    List<Requirement> requests = new ArrayList<>();
    Set<Requirement> known = new HashSet<>();
    for (ResourceClaim claim : claims) {
      ClaimKey key = ClaimKey.of(claim);
      for (int i = 0; i < claim.spec().constraints().size(); i++) {
        constraints.add(0, new Requirement.Constraint(key, i, claim.spec().constraints().get(i)));
      }
      for (DeviceRequest request : claim.spec().requests()) {
        Requirement whole = new Requirement.Request(key, request.name());
        if (known.add(whole)) {
          requests.add(0, whole);
        }
        ExactDeviceRequest exactly = request.exactly();
        if (exactly == null || exactly.allocationMode().equals(AllocationMode.ALL)) {
          continue;
        }
        for (int i = 0; i < exactly.selectors().size(); i++) {
          String expression = exactly.selectors().get(i).expression();
          selectors.add(
              0,
              new Requirement.Selector(
                  key, request.name(), i, expression == null ? "" : expression));
        }
      }
    }
    List<Requirement> all = new ArrayList<>(constraints);
    all.addAll(selectors);
    all.addAll(requests);
    return all;
  }

  /**
   * Returns the claims without some requirements; claims without requests are left out as a whole.
   */
  public static List<ResourceClaim> without(List<ResourceClaim> claims, Set<Requirement> leftOut) {
    List<ResourceClaim> reduced = new ArrayList<>();
    for (ResourceClaim claim : claims) {
      ResourceClaim rest = without(claim, leftOut);
      if (!rest.spec().requests().isEmpty()) {
        reduced.add(rest);
      }
    }
    return reduced;
  }

  private static ResourceClaim without(ResourceClaim claim, Set<Requirement> leftOut) {
    ClaimKey key = ClaimKey.of(claim);
    List<DeviceRequest> requests = new ArrayList<>();
    Set<String> gone = new LinkedHashSet<>();
    for (DeviceRequest request : claim.spec().requests()) {
      if (leftOut.contains(new Requirement.Request(key, request.name()))) {
        gone.add(request.name());
      } else {
        requests.add(without(key, request, leftOut));
      }
    }
    List<DeviceConstraint> constraints = new ArrayList<>();
    for (int i = 0; i < claim.spec().constraints().size(); i++) {
      DeviceConstraint constraint = claim.spec().constraints().get(i);
      List<String> about =
          constraint.requests().stream().filter(name -> !gone.contains(requestOf(name))).toList();
      boolean empty = about.isEmpty() && !constraint.requests().isEmpty();
      if (!empty && !leftOut.contains(new Requirement.Constraint(key, i, constraint))) {
        constraints.add(new DeviceConstraint(about, constraint.attributes()));
      }
    }
    return withSpec(claim, requests, constraints);
  }

  /** The name of the request in {@code request/alternative} or {@code request}. */
  private static String requestOf(String name) {
    int slash = name.indexOf('/');
    return slash < 0 ? name : name.substring(0, slash);
  }

  private static DeviceRequest without(
      ClaimKey key, DeviceRequest request, Set<Requirement> leftOut) {
    ExactDeviceRequest exactly = request.exactly();
    if (exactly == null || exactly.selectors().isEmpty()) {
      return request;
    }
    List<DeviceSelector> selectors = new ArrayList<>();
    for (int i = 0; i < exactly.selectors().size(); i++) {
      DeviceSelector selector = exactly.selectors().get(i);
      String expression = selector.expression() == null ? "" : selector.expression();
      if (!leftOut.contains(new Requirement.Selector(key, request.name(), i, expression))) {
        selectors.add(selector);
      }
    }
    return DeviceRequest.exactly(request.name(), exactly.toBuilder().selectors(selectors).build());
  }

  /** The claim with other requests and constraints; parameters for drivers are dropped. */
  static ResourceClaim withSpec(
      ResourceClaim claim, List<DeviceRequest> requests, List<DeviceConstraint> constraints) {
    return claim.toBuilder().spec(new ResourceClaimSpec(requests, constraints, List.of())).build();
  }

  /** A request and those that must share a value with it; constraints on all do not count. */
  static List<Requirement.Request> tiedTo(Requirement part, List<ResourceClaim> claims) {
    List<Requirement.Request> tied = new ArrayList<>();
    if (part instanceof Requirement.Request request) {
      tied.add(request);
      for (ResourceClaim claim : claims) {
        if (!ClaimKey.of(claim).equals(request.claim())) {
          continue;
        }
        for (DeviceConstraint constraint : claim.spec().constraints()) {
          if (constraint.demands(DeviceConstraint.Demand.COMMON_VALUE)
              && constraint.requests().contains(request.request())) {
            constraint
                .requests()
                .forEach(name -> tied.add(new Requirement.Request(request.claim(), name)));
          }
        }
      }
    }
    return tied.stream().distinct().toList();
  }

  /** The claims with one of them changed. */
  static List<ResourceClaim> change(
      List<ResourceClaim> claims, ClaimKey key, UnaryOperator<ResourceClaim> change) {
    return claims.stream()
        .map(claim -> ClaimKey.of(claim).equals(key) ? change.apply(claim) : claim)
        .toList();
  }

  /** The claims with one request changed; {@code request/alternative} changes the alternative. */
  static List<ResourceClaim> changeRequest(
      List<ResourceClaim> claims,
      Requirement.Request request,
      UnaryOperator<ExactDeviceRequest> change) {
    return change(
        claims, request.claim(), claim -> changeRequest(claim, request.request(), change));
  }

  /** The content of a request or an alternative; null if the claims have no such request. */
  static @Nullable ExactDeviceRequest requested(
      List<ResourceClaim> claims, Requirement.Request wanted) {
    for (ResourceClaim claim : claims) {
      if (!ClaimKey.of(claim).equals(wanted.claim())) {
        continue;
      }
      for (DeviceRequest request : claim.spec().requests()) {
        if (request.exactly() != null && request.name().equals(wanted.request())) {
          return request.exactly();
        }
        for (DeviceSubRequest sub : request.firstAvailable()) {
          if (wanted.request().equals(request.name() + "/" + sub.name())) {
            return sub.request();
          }
        }
      }
    }
    return null;
  }

  private static ResourceClaim changeRequest(
      ResourceClaim claim, String name, UnaryOperator<ExactDeviceRequest> change) {
    List<DeviceRequest> requests = new ArrayList<>();
    for (DeviceRequest request : claim.spec().requests()) {
      @Nullable ExactDeviceRequest exactly = request.exactly();
      List<DeviceSubRequest> alternatives = new ArrayList<>();
      for (DeviceSubRequest sub : request.firstAvailable()) {
        boolean meant = name.equals(request.name() + "/" + sub.name());
        alternatives.add(
            meant ? new DeviceSubRequest(sub.name(), change.apply(sub.request())) : sub);
      }
      if (exactly != null && request.name().equals(name)) {
        exactly = change.apply(exactly);
      }
      requests.add(new DeviceRequest(request.name(), exactly, alternatives));
    }
    return claim.toBuilder()
        .spec(new ResourceClaimSpec(requests, claim.spec().constraints(), claim.spec().config()))
        .build();
  }
}
