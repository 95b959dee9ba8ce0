package io.dra4j.manifest;

import java.io.Serial;
import java.util.List;
import java.util.stream.Collectors;

/** Input that cannot be read. Carries every problem that was found, each for one line. */
public final class ManifestException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * Refuses input.
   *
   * @param problems what is wrong, at least one
   */
  public ManifestException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  ManifestException(Problem problem) {
    this(List.of(problem));
  }

  /**
   * What is wrong.
   *
   * @return at least one problem
   */
  public List<Problem> problems() {
    return problems;
  }

  /**
   * One thing that is wrong.
   *
   * @param file the file as it was named
   * @param document number of the document in the file, from 1; 0 when it is the file itself
   * @param object kind and name of the object; empty when not known
   * @param path where in the object, for example {@code spec.devices[4].name}; empty when not known
   * @param message what was expected, and what was found
   */
  public record Problem(String file, int document, String object, String path, String message) {

    static Problem ofFile(String file, String message) {
      return new Problem(file, 0, "", "", message);
    }

    static Problem ofDocument(String file, int document, String message) {
      return new Problem(file, document, "", "", message);
    }

    /**
     * The problem in one line; control characters are escaped.
     *
     * @return {@code FILE: document N: KIND NAME: PATH: MESSAGE}, without what is not known
     */
    @Override
    public String toString() {
      StringBuilder line = new StringBuilder(file);
      if (document > 0) {
        line.append(": document ").append(document);
      }
      for (String part : List.of(object, path, message)) {
        if (!part.isEmpty()) {
          line.append(": ").append(part);
        }
      }
      return escaped(line);
    }

    private static String escaped(CharSequence text) {
      StringBuilder safe = new StringBuilder(text.length());
      text.chars()
          .forEach(
              c -> {
                if (Character.isISOControl(c)) {
                  safe.append("\\u%04x".formatted(c));
                } else {
                  safe.append((char) c);
                }
              });
      return safe.toString();
    }
  }
}
