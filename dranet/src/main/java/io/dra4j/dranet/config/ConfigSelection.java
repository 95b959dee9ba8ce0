package io.dra4j.dranet.config;

import io.dra4j.model.AllocationConfigSource;
import io.dra4j.spi.OpaqueConfiguration;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Selects and merges the configurations of a device. More specific configurations win. In ascending
 * order of precedence: the device class, the claim for all requests, the claim for the request by
 * name, the claim for the sub-request by both names ({@code main/fast}). Of two configurations with
 * equal precedence the later one wins (KEP-4381, KEP-4816).
 */
public final class ConfigSelection {

  private record Ranked(int rank, NetworkConfig config) {}

  private ConfigSelection() {}

  /**
   * {@return the merged configuration, without a policy; {@link NetworkConfig#EMPTY} if none apply}
   *
   * @param configurations all of the device ({@link io.dra4j.spi.ClaimedDevice#configurations})
   * @param request the request that the device is for, {@code main} or {@code main/sub}
   * @throws ConfigurationException with all problems, if one or the merged configuration is invalid
   */
  public static NetworkConfig of(List<OpaqueConfiguration> configurations, String request)
      throws ConfigurationException {
    return of(configurations, request, ConfigPolicy.NONE);
  }

  /**
   * {@return the merged configuration, under a policy; {@link NetworkConfig#EMPTY} if none apply}
   *
   * @param configurations all of the device ({@link io.dra4j.spi.ClaimedDevice#configurations})
   * @param request the request that the device is for, {@code main} or {@code main/sub}
   * @param policy the policy about fields that a claim may not set
   * @throws ConfigurationException if one of them is not valid or violates the policy, or the
   *     merged configuration is not valid; it has all problems
   */
  public static NetworkConfig of(
      List<OpaqueConfiguration> configurations, String request, ConfigPolicy policy)
      throws ConfigurationException {
    List<Ranked> found = new ArrayList<>();
    List<ConfigurationProblem> problems = new ArrayList<>();
    for (OpaqueConfiguration one : configurations) {
      if (!one.source().equals(AllocationConfigSource.FROM_CLASS)) {
        policy.check(one.parameters()).forEach(problem -> problems.add(in(one.origin(), problem)));
      }
      try {
        found.add(new Ranked(rank(one, request), NetworkConfig.parse(one.parameters())));
      } catch (ConfigurationException e) {
        e.problems().forEach(problem -> problems.add(in(one.origin(), problem)));
      }
    }
    found.sort(Comparator.comparingInt(Ranked::rank)); // stable: of equal ones the later one wins
    NetworkConfig all = NetworkConfig.EMPTY;
    for (Ranked one : found) {
      all = all.under(one.config);
    }
    if (problems.isEmpty() && found.size() > 1) {
      for (ConfigurationProblem problem : all.problems()) {
        problems.add(in("the merged configuration of class and claim", problem));
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return all;
  }

  private static ConfigurationProblem in(String origin, ConfigurationProblem problem) {
    return new ConfigurationProblem(problem.pointer(), problem.problem() + " (" + origin + ")");
  }

  /** Returns how specific a configuration is. */
  private static int rank(OpaqueConfiguration one, String request) {
    if (one.source().equals(AllocationConfigSource.FROM_CLASS)) {
      return 0;
    }
    if (one.requests().isEmpty()) {
      return 1;
    }
    return request.indexOf('/') >= 0 && one.requests().contains(request) ? 3 : 2;
  }
}
