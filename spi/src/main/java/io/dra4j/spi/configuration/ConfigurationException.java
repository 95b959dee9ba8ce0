package io.dra4j.spi.configuration;

import io.dra4j.spi.DriverException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Thrown if a driver cannot accept a configuration. It has all problems, not only the first. */
public final class ConfigurationException extends DriverException {

  private static final long serialVersionUID = 1L;

  private final transient List<ConfigurationProblem> problems;

  /**
   * Creates an exception with problems.
   *
   * @param problems the problems, at least one
   */
  public ConfigurationException(List<ConfigurationProblem> problems) {
    this(problems, null, null);
  }

  private ConfigurationException(
      List<ConfigurationProblem> problems,
      @Nullable String device,
      @Nullable ConfigurationException cause) {
    super(
        Kind.INVALID,
        device,
        problems.get(0).pointer(),
        problems.get(0).problem()
            + problems.stream().skip(1).map(one -> "; " + one).collect(Collectors.joining()),
        cause);
    this.problems = List.copyOf(problems);
  }

  /** Returns these problems with the name of a device. {@inheritDoc} */
  @Override
  public ConfigurationException forDevice(String name) {
    return new ConfigurationException(problems, name, this);
  }

  /** {@return all problems in the order of the text; at least one} */
  public List<ConfigurationProblem> problems() {
    return problems;
  }
}
