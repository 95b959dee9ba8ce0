package io.dra4j.manifest.internal.yaml;

import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.FixedLimits;
import io.dra4j.manifest.internal.json.TextCursor;
import java.io.Reader;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;

/** A cursor in YAML. The value of an alias counts as a scalar at the place of the alias. */
public final class YamlCursor implements TextCursor {

  private final YamlEvents events;

  public YamlCursor(Reader text) throws DocumentException {
    events = new YamlEvents(text);
    events.advance(); // stream start
  }

  @Override
  public boolean nextDocument() throws DocumentException {
    if (events.is(Event.ID.DocumentEnd)) {
      events.advance();
    }
    if (events.is(Event.ID.StreamEnd)) {
      return false;
    }
    events.advance(); // document start
    return true;
  }

  @Override
  public Kind kind() {
    return events.is(Event.ID.MappingStart)
        ? Kind.OBJECT
        : events.is(Event.ID.SequenceStart) ? Kind.LIST : Kind.SCALAR;
  }

  @Override
  public SourcePosition place() {
    return place(events.current());
  }

  /** The place at which an event begins. */
  static SourcePosition place(Event event) {
    Mark mark = event.getStartMark();
    return new SourcePosition(mark.getLine() + 1, mark.getColumn() + 1);
  }

  @Override
  public void skip() throws DocumentException {
    int depth = 0;
    do {
      Event event = events.advance();
      if (event.is(Event.ID.MappingStart) || event.is(Event.ID.SequenceStart)) {
        if (++depth > FixedLimits.DEEPEST) { // the parser stores each level
          throw events.fault(event, "nested deeper than " + FixedLimits.DEEPEST + " levels");
        }
      } else if (event.is(Event.ID.MappingEnd) || event.is(Event.ID.SequenceEnd)) {
        depth--;
      }
    } while (depth > 0);
  }

  @Override
  public void enter() throws DocumentException {
    events.advance();
  }

  @Override
  public @Nullable String name() {
    if (events.is(Event.ID.MappingEnd)) {
      return null;
    }
    return events.current() instanceof ScalarEvent scalar ? scalar.getValue() : "";
  }

  @Override
  public void toValue() throws DocumentException {
    skip();
  }

  @Override
  public boolean hasElement() {
    return !events.is(Event.ID.SequenceEnd);
  }

  @Override
  public void leave() throws DocumentException {
    events.advance();
  }
}
