package io.dra4j.cel;

import java.util.List;

/**
 * An overload of a function in expressions.
 *
 * @param name the name of the function, for example {@code split}; operators have names such as
 *     {@code _+_}
 * @param overload the name of the overload in cel-go, for example {@code string_split_string}
 * @param member whether it is called on a target, whose type is then the first of the parameters
 * @param parameters the types of target and arguments in the notation of CEL; capital letters stand
 *     for any type
 * @param result the type of the result
 */
public record CelFunction(
    String name, String overload, boolean member, List<String> parameters, String result) {

  /** Copies the list. {@inheritDoc} */
  public CelFunction {
    parameters = List.copyOf(parameters);
  }

  /** {@return the declaration, for example {@code string.split(string, int) -> list(string)}} */
  @Override
  public String toString() {
    List<String> arguments = member ? parameters.subList(1, parameters.size()) : parameters;
    return (member ? parameters.get(0) + "." : "")
        + name
        + "("
        + String.join(", ", arguments)
        + ") -> "
        + result;
  }
}
