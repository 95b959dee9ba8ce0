package io.dra4j.manifest;

import io.dra4j.manifest.Manifest.Origin;
import io.dra4j.manifest.internal.json.Printable;
import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** Manifests that cannot be read, with all that is wrong with them, each for one line. */
public final class ManifestException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * Refuses manifests.
   *
   * @param problems what is wrong, at least one; their lines become the message
   */
  public ManifestException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /**
   * What is wrong, in the order in which it was found.
   *
   * @return at least one problem; of very many in one file only the first, and one that counts the
   *     others
   */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * One thing that is wrong.
   *
   * @param origin where it is
   * @param place its line and column in the file; {@link SourcePosition#UNKNOWN} where only the
   *     document is known
   * @param object kind and name of the object, for example {@code ResourceSlice "node-0-gpu"};
   *     empty where no object is concerned
   * @param path the field, for example {@code spec.devices[4].name}, in the terms of version {@code
   *     v1}; empty where no field is concerned
   * @param message what was expected and what was found
   */
  public record Problem(
      Origin origin, SourcePosition place, String object, String path, String message) {

    /**
     * The problem as one line, without control characters.
     *
     * @return file, line and column (or the document, where these are not known), object, path and
     *     message, parted by colons, without what is not known
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
