package io.dra4j.manifest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** JSON values as text, and back. */
final class JsonText {

  /** Digits of a number; Go's decoder has no limit, but nothing that Kubernetes reads has more. */
  private static final int MAX_NUMBER_LENGTH = 1_000;

  /**
   * Depth is the composer's to limit, and the length of names and texts follows from that of the
   * file.
   */
  static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(MAX_NUMBER_LENGTH)
                  .build())
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .build();

  private static final Separators SEPARATORS =
      Separators.createDefaultInstance()
          .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
          .withObjectEmptySeparator("")
          .withArrayEmptySeparator("");

  private JsonText() {}

  /** Reads text that {@link #write} made, or that a user of the model claims to be JSON. */
  static Json parseValid(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      Json value =
          new JsonComposer(parser, ManifestLimits.DEEPEST + 2, 0, Integer.MAX_VALUE).compose();
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("more than one JSON value: " + abbreviate(text));
      }
      return value;
    } catch (DocumentException | IOException e) {
      throw new IllegalArgumentException("not a JSON value: " + abbreviate(text), e);
    }
  }

  /** Writes a value without white space. */
  static String write(Json value) {
    return write(value, (PrettyPrinter) null);
  }

  /** Writes a value with one field or element a line. */
  static String writePretty(Json value) {
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
      out.writeBoolean(flag.isTrue());
    } else {
      out.writeNull();
    }
  }

  private static String abbreviate(String text) {
    return Printable.escape(Printable.abbreviate(text));
  }
}
