package io.dra4j.cli.device;

import io.dra4j.cli.terminal.Terminal;
import io.dra4j.common.IoMessages;
import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.value.PlacedValue;
import io.dra4j.spi.configuration.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The parameters of a driver in a YAML or JSON file of at most 1 MiB. */
final class ParameterFile {

  private static final int MOST = 1 << 20;

  private final PlacedValue value;

  private ParameterFile(PlacedValue value) {
    this.value = value;
  }

  /** Parses JSON. */
  interface Parser<T> {
    T parse(String json) throws ConfigurationException, IOException;
  }

  /** Reads a file, or standard input for {@code -}. */
  static ParameterFile read(Terminal terminal, String file) throws IOException, ManifestException {
    return file.equals("-")
        ? of("standard input", terminal.in().readNBytes(MOST + 1))
        : read(Path.of(file));
  }

  static ParameterFile read(Path file) throws IOException, ManifestException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MOST + 1);
    } catch (IOException e) {
      throw new IOException(file + ": " + IoMessages.describe(e), e);
    }
    return of(file.toString(), bytes);
  }

  private static ParameterFile of(String name, byte[] bytes) throws IOException, ManifestException {
    if (bytes.length == 0) {
      throw new IOException(name + ": is empty: expected an object, {} for the defaults");
    } else if (bytes.length > MOST) {
      throw new IOException(name + ": is larger than " + MOST + " bytes");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new ParameterFile(PlacedValue.read(name, text));
    } catch (CharacterCodingException e) {
      throw new IOException(name + ": is not UTF-8 text", e);
    }
  }

  /** Parses the parameters; a {@code ManifestException} has problems with places in the file. */
  <T> T parse(Parser<T> parser) throws IOException, ManifestException {
    try {
      return parser.parse(value.toJson());
    } catch (ConfigurationException e) {
      throw new ManifestException(
          e.problems().stream().map(one -> value.problem(one.pointer(), one.problem())).toList());
    }
  }
}
