package io.dra4j.cli.terminal;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Reads names of files. */
public final class PathConverter implements ITypeConverter<Path> {

  /** Why an empty text is refused. */
  public static final String EMPTY = "expected the name of a file, found ''";

  @Override
  public Path convert(String text) {
    try {
      return checked(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** The file of an option that is read by a consumer, to which picocli converts nothing. */
  public static Path path(String option, String text, CommandLine command) {
    try {
      return checked(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, option + ": " + e.getMessage());
    }
  }

  private static Path checked(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException(EMPTY);
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(problem(e), e);
    }
  }

  /** Why text is the name of no file, as for people. */
  public static String problem(InvalidPathException e) {
    return "'" + e.getInput() + "' is no name of a file: " + e.getReason();
  }
}
