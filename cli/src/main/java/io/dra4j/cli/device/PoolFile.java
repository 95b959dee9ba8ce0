package io.dra4j.cli.device;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.dranet.StaticPools;
import io.dra4j.dranet.config.NetworkConfig;
import io.dra4j.manifest.ManifestException;
import io.dra4j.spi.configuration.ConfigurationException;
import io.dra4j.spi.configuration.ConfigurationProblem;
import io.dra4j.spi.configuration.JsonField;
import io.dra4j.spi.configuration.JsonRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The profiles of a driver as a file, JSON or YAML: {@code {"profiles": [{"name": "rail0",
 * "ranges": ["10.0.0.10-10.0.0.99/24"], "config": {"interface": {"mtu": 9000}}}]}}.
 *
 * @param profiles the profiles, whose names differ
 */
record PoolFile(@JsonField(required = true) List<Profile> profiles) {

  /**
   * A profile, which {@code /profile} of a configuration names.
   *
   * @param name the name
   * @param ranges the address ranges; a device gets one address from each; may be empty
   * @param config a NetworkConfig with the other settings of devices; null for none
   */
  record Profile(
      @JsonField(required = true) String name,
      List<StaticPools.Range> ranges,
      @Nullable JsonNode config) {}

  /**
   * Reads profiles.
   *
   * @param file the file
   * @param leases the file of the addresses in use
   * @throws ManifestException if the file is not valid; it has all problems
   */
  static StaticPools read(Path file, Path leases) throws IOException, ManifestException {
    return ParameterFile.read(file).parse(json -> parse(json, leases));
  }

  private static StaticPools parse(String json, Path leases)
      throws IOException, ConfigurationException {
    PoolFile read =
        JsonRecords.builder()
            .text(StaticPools.Range.class, StaticPools.Range::parse)
            .build()
            .read(json, PoolFile.class);
    List<ConfigurationProblem> problems = new ArrayList<>();
    Set<String> names = new HashSet<>();
    StaticPools pools = StaticPools.open(leases);
    for (int i = 0; i < read.profiles.size(); i++) {
      Profile profile = read.profiles.get(i);
      String at = "/profiles/" + i;
      if (!names.add(profile.name)) {
        problems.add(new ConfigurationProblem(at + "/name", "duplicate profile " + profile.name));
        continue;
      }
      try {
        pools.add(profile.name, profile.ranges, config(profile.config));
      } catch (ConfigurationException e) {
        e.problems()
            .forEach(
                one ->
                    problems.add(
                        new ConfigurationProblem(at + "/config" + one.pointer(), one.problem())));
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return pools;
  }

  private static NetworkConfig config(@Nullable JsonNode config) throws ConfigurationException {
    return config == null ? NetworkConfig.EMPTY : NetworkConfig.parse(config.toString());
  }
}
