package io.dra4j.manifest.internal.yaml;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.internal.json.JsonText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;

/**
 * Writes JSON values as YAML in block style. Strings are quoted if this or another reader of YAML
 * 1.1 or 1.2 might read them as something else.
 */
public final class YamlText {

  /** Times of day and dates, which only some readers read as numbers and times. */
  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "[-+]?[0-9][0-9_.]*:[0-9_.:]*|[0-9]{4}-[0-9][0-9]?-[0-9].*|<<|=", Pattern.DOTALL);

  /** Text without control characters, line breaks (except line feeds) and changes of direction. */
  private static final Pattern ORDINARY =
      Pattern.compile("[^\\x00-\\x09\\x0B-\\x1F\\x7F-\\x9F\\u2028\\u2029\\p{Cf}]*+");

  /** Characters that the emitter wrongly treats as printable. */
  private static final Pattern INVISIBLE = Pattern.compile("\\p{Cf}");

  private final Emitter emitter;

  private YamlText(Writer out) {
    DumperOptions options = new DumperOptions();
    options.setSplitLines(false);
    emitter = new Emitter(out, options);
  }

  /** Writes a value as a document, with a final line feed. */
  public static String write(Json value) {
    StringWriter out = new StringWriter();
    try {
      new YamlText(out).document(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter never fails
    }
    // These strings are in double quotes, which allow escapes.
    return INVISIBLE.matcher(out.toString()).replaceAll(found -> escape(found.group()));
  }

  private static String escape(String character) {
    int c = character.codePointAt(0);
    return "\\\\" + (c < 0x10000 ? "u%04X" : "U%08X").formatted(c);
  }

  private void document(Json value) throws IOException {
    emitter.emit(new StreamStartEvent(null, null));
    emitter.emit(new DocumentStartEvent(null, null, false, null, Map.of()));
    value(value);
    emitter.emit(new DocumentEndEvent(null, null, false));
    emitter.emit(new StreamEndEvent(null, null));
  }

  private void value(Json value) throws IOException {
    if (value instanceof Json.Fields object) {
      emitter.emit(new MappingStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
      for (var field : object.map().entrySet()) {
        text(field.getKey(), ScalarStyle.DOUBLE_QUOTED);
        value(field.getValue());
      }
      emitter.emit(new MappingEndEvent(null, null));
    } else if (value instanceof Json.Items items) {
      items(items.list());
    } else if (value instanceof Json.Text text) {
      text(text.value(), ScalarStyle.LITERAL);
    } else {
      scalar(JsonText.write(value), ScalarStyle.PLAIN);
    }
  }

  private void items(List<Json> items) throws IOException {
    emitter.emit(new SequenceStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
    for (Json item : items) {
      value(item);
    }
    emitter.emit(new SequenceEndEvent(null, null));
  }

  private void text(String text, ScalarStyle ofSeveralLines) throws IOException {
    if (!ORDINARY.matcher(text).matches()) {
      scalar(text, ScalarStyle.DOUBLE_QUOTED);
    } else if (text.indexOf('\n') >= 0) {
      scalar(text, ofSeveralLines);
    } else if (YamlScalars.isPlainText(text) && !AMBIGUOUS.matcher(text).matches()) {
      scalar(text, ScalarStyle.PLAIN);
    } else {
      scalar(text, ScalarStyle.DOUBLE_QUOTED);
    }
  }

  /** Writes a scalar. The emitter uses another style if this one cannot express the string. */
  private void scalar(String text, ScalarStyle style) throws IOException {
    boolean plain = style == ScalarStyle.PLAIN;
    emitter.emit(
        new ScalarEvent(null, null, new ImplicitTuple(plain, true), text, null, null, style));
  }
}
