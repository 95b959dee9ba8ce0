package io.dra4j.manifest.internal.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import io.dra4j.common.PrintableText;
import io.dra4j.manifest.Json;
import io.dra4j.manifest.SourcePosition;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** JSON values as text, and back. */
public final class JsonText {

  /** The most digits of a number. Go has no limit, but no number in Kubernetes has more. */
  private static final int MAX_NUMBER_LENGTH = 1_000;

  /** The limits of the parser; the composer limits the depth. */
  private static final StreamReadConstraints CONSTRAINTS =
      StreamReadConstraints.builder()
          .maxNestingDepth(Integer.MAX_VALUE)
          .maxNameLength(FixedLimits.MAX_TEXT)
          .maxStringLength(FixedLimits.MAX_TEXT)
          .maxNumberLength(MAX_NUMBER_LENGTH)
          .build();

  /** The factory for complete texts; caches no names. */
  private static final JsonFactory FACTORY = factory(false);

  private static final Separators SEPARATORS =
      Separators.createDefaultInstance()
          .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
          .withObjectEmptySeparator("")
          .withArrayEmptySeparator("");

  /** Escapes characters that move the cursor of a terminal, or change the direction of writing. */
  private static final class Escapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private static final int DELETE = 0x7f;

    private final int[] ofAscii = standardAsciiEscapesForJSON();

    Escapes() {
      ofAscii[DELETE] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ofAscii.clone();
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int c) {
      return Printable.isUnsafe(c) ? new SerializedString("\\u%04X".formatted(c)) : null;
    }
  }

  private static final Escapes ESCAPES = new Escapes();

  private JsonText() {}

  /** A factory for one file: it caches the names of fields, and is discarded with the file. */
  public static JsonFactory factoryOfFile() {
    return factory(true);
  }

  private static JsonFactory factory(boolean keepNames) {
    return new JsonFactoryBuilder()
        .streamReadConstraints(CONSTRAINTS)
        .configure(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES, keepNames)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // a table of the whole JVM
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
        .build();
  }

  /** Reads text from {@link #write}, or text that a user of the model claims to be JSON. */
  public static Json parseValid(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      Json value =
          new JsonComposer(parser, JsonText::refuse, FixedLimits.DEEPEST + 2, 0, Long.MAX_VALUE)
              .compose();
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("more than one JSON value: " + abbreviate(text));
      }
      return value;
    } catch (DocumentException | IOException e) {
      throw new IllegalArgumentException("not a JSON value: " + abbreviate(text), e);
    }
  }

  private static void refuse(SourcePosition place, String name) throws DocumentException {
    throw new DocumentException(
        place.line(), place.column(), "duplicate field \"" + abbreviate(name) + '"');
  }

  /** Writes a value without white space. */
  public static String write(Json value) {
    return write(value, (PrettyPrinter) null);
  }

  /** Writes a value without white space in UTF-8; the stream stays open. */
  public static void write(Json value, OutputStream out) throws IOException {
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      write(value, generator);
    }
  }

  /** Writes a value from untrusted input, in which escapes and aliases can expand a small text. */
  public static String writeBounded(Json value) throws DocumentException {
    BoundedWriter out = new BoundedWriter(FixedLimits.MAX_JSON);
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      write(value, generator);
    } catch (IOException e) {
      throw new DocumentException(
          "an object is longer than " + FixedLimits.MAX_JSON + " characters of JSON");
    }
    return out.toString();
  }

  /** Writes a value with one field or element per line. */
  public static String writePretty(Json value) {
    var indent = new DefaultIndenter("  ", "\n");
    return write(
        value,
        new DefaultPrettyPrinter()
            .withObjectIndenter(indent)
            .withArrayIndenter(indent)
            .withSeparators(SEPARATORS));
  }

  private static String write(Json value, @Nullable PrettyPrinter printer) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      if (printer != null) {
        generator.setPrettyPrinter(printer);
        generator.setCharacterEscapes(ESCAPES);
      }
      write(value, generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter never fails
    }
    return out.toString();
  }

  private static void write(Json value, JsonGenerator out) throws IOException {
    if (value instanceof Json.Fields object) {
      out.writeStartObject();
      for (var field : object.map().entrySet()) {
        out.writeFieldName(field.getKey());
        write(field.getValue(), out);
      }
      out.writeEndObject();
    } else if (value instanceof Json.Items items) {
      out.writeStartArray();
      for (Json item : items.list()) {
        write(item, out);
      }
      out.writeEndArray();
    } else if (value instanceof Json.Text text) {
      out.writeString(text.value());
    } else if (value instanceof Json.Num number) {
      out.writeNumber(number.text());
    } else if (value instanceof Json.Flag flag) {
      out.writeBoolean(flag == Json.Flag.TRUE);
    } else {
      out.writeNull();
    }
  }

  /** A writer that fails if more is written than its limit. */
  private static final class BoundedWriter extends Writer {

    private final StringBuilder text = new StringBuilder();
    private final int limit;

    BoundedWriter(int limit) {
      this.limit = limit;
    }

    @Override
    public void write(char[] characters, int offset, int length) throws IOException {
      if (text.length() + length > limit) {
        throw new IOException("longer than " + limit + " characters");
      }
      text.append(characters, offset, length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
      return text.toString();
    }
  }

  private static String abbreviate(String text) {
    return Printable.escape(PrintableText.abbreviate(text));
  }
}
