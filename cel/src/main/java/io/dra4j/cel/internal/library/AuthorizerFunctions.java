package io.dra4j.cel.internal.library;

import java.util.List;

/**
 * The functions on authorizers, after {@code authz.go} of the API server's CEL library. Selectors
 * have no authorizer: expressions may name these functions and pay for them, but there is nothing
 * to call them on.
 */
final class AuthorizerFunctions {

  /** Of asking an authorizer. */
  private static final long AUTHORIZATION = 350_000;

  /** How many requirements there may be in each character of a selector of labels or fields. */
  private static final double REQUIREMENTS = 0.5;

  /** Of making one of them. */
  private static final long REQUIREMENT = 50;

  private static final FunctionCost CHECK =
      new FunctionCost(
          args -> new CallEstimate(Estimate.fixed(AUTHORIZATION)),
          CallCost.before((a, b) -> AUTHORIZATION));
  private static final FunctionCost SELECTOR =
      new FunctionCost(
          args -> {
            Estimate size = args.get(1).sizeOrDeclared();
            Estimate requirements = size.times(REQUIREMENTS).times((double) REQUIREMENT);
            return new CallEstimate(
                Estimate.fixed(Estimates.LIST).plus(size.times(Estimates.TEXT)).plus(requirements));
          },
          CallCost.before(
              (check, selector) -> {
                long length = CallCost.size(selector);
                return Estimates.LIST
                    + CallCost.traverse(length)
                    + CallCost.ceil(length * REQUIREMENTS) * REQUIREMENT;
              }));

  /** The declarations of the functions for the checker; {@link Functions} describes the format. */
  static final String DECLARED =
      """
      allowed
        decision_allowed kubernetes.authorization.Decision.() bool
      check
        pathcheck_check kubernetes.authorization.PathCheck.(string) kubernetes.authorization.Decision
        resourcecheck_check kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.Decision
      error
        decision_error kubernetes.authorization.Decision.() string
      errored
        decision_errored kubernetes.authorization.Decision.() bool
      fieldSelector
        authorizer_fieldselector kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
      group
        authorizer_group kubernetes.authorization.Authorizer.(string) kubernetes.authorization.GroupCheck
      labelSelector
        authorizer_labelselector kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
      name
        resourcecheck_name kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
      namespace
        resourcecheck_namespace kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
      path
        authorizer_path kubernetes.authorization.Authorizer.(string) kubernetes.authorization.PathCheck
      reason
        decision_reason kubernetes.authorization.Decision.() string
      resource
        groupcheck_resource kubernetes.authorization.GroupCheck.(string) kubernetes.authorization.ResourceCheck
      serviceAccount
        authorizer_serviceaccount kubernetes.authorization.Authorizer.(string, string) kubernetes.authorization.Authorizer
      subresource
        resourcecheck_subresource kubernetes.authorization.ResourceCheck.(string) kubernetes.authorization.ResourceCheck
      """;

  private AuthorizerFunctions() {}

  static void addTo(FunctionLibrary.Builder library) {
    library
        .addWithoutBody("pathcheck_check", CHECK)
        .addWithoutBody("resourcecheck_check", CHECK)
        .addWithoutBody("authorizer_fieldselector", SELECTOR)
        .addWithoutBody("authorizer_labelselector", SELECTOR);
    for (String cheap :
        List.of(
            "decision_allowed",
            "decision_error",
            "decision_errored",
            "authorizer_group",
            "resourcecheck_name",
            "resourcecheck_namespace",
            "authorizer_path",
            "decision_reason",
            "groupcheck_resource",
            "authorizer_serviceaccount",
            "resourcecheck_subresource")) {
      library.addWithoutBody(cheap, FunctionCost.ONE);
    }
  }
}
