package io.dra4j.cli.terminal;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Reads names of files. */
public final class PathConverter implements ITypeConverter<Path> {

  /** The message for an empty text. */
  public static final String EMPTY = "expected a file name, found ''";

  @Override
  public Path convert(String text) {
    try {
      return checked(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  /** Converts an option's argument where picocli does not: with a parameter consumer. */
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

  /** Returns the reason why a text is not a file name. */
  public static String problem(InvalidPathException e) {
    return "'" + e.getInput() + "' is not a file name: " + e.getReason();
  }
}
