package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.internal.json.Printable;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** Manifests that cannot be read. The message has a line for each problem. */
public final class ManifestException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * Creates the exception.
   *
   * @param problems the problems, at least one; their lines become the message
   */
  public ManifestException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /**
   * {@return at least one problem, in the order in which they were found; if a file has very many,
   * the first ones, and one that counts the others}
   */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * A problem.
   *
   * @param origin the place of the object
   * @param place its line and column in the file; {@link SourcePosition#UNKNOWN} if only the
   *     document is known
   * @param object kind and name of the object, for example {@code ResourceSlice "node-0-gpu"};
   *     empty if the problem concerns no object
   * @param path the field in version {@code v1}, for example {@code spec.devices[4].name}; empty if
   *     the problem concerns no field
   * @param message the expected and the found value
   */
  public record Problem(
      Origin origin, SourcePosition place, String object, String path, String message) {

    /**
     * {@return the problem as one line, without control characters: file, line and column (or
     * document, if unknown), object, path and message, separated by colons, without unknown parts}
     */
    @Override
    public String toString() {
      StringBuilder line = new StringBuilder();
      if (place.isKnown()) {
        line.append(origin.file()).append(':').append(place.line());
        line.append(':').append(place.column());
      } else {
        line.append(origin);
      }
      for (String part : List.of(object, path, message)) {
        if (!part.isEmpty()) {
          line.append(": ").append(part);
        }
      }
      return Printable.escape(line.toString());
    }
  }
}
