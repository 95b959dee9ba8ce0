package io.dra4j.manifest.internal.yaml;

import io.dra4j.manifest.Json;
import io.dra4j.manifest.ManifestLimits;
import io.dra4j.manifest.SourcePosition;
import io.dra4j.manifest.internal.json.DocumentException;
import io.dra4j.manifest.internal.json.DocumentSink;
import java.io.Reader;
import java.util.List;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/** Splits a YAML text into documents. */
public final class YamlDocuments {

  private final YamlEvents events;
  private final ManifestLimits limits;
  private final DocumentSink sink;
  private long aliasAllowance;

  public YamlDocuments(Reader text, ManifestLimits limits, DocumentSink sink)
      throws DocumentException {
    this.events = new YamlEvents(text);
    this.limits = limits;
    this.sink = sink;
    this.aliasAllowance = limits.maxAliasBytes();
  }

  /** Reads to the end. */
  public void read() throws DocumentException {
    events.advance(); // stream start
    while (!events.is(Event.ID.StreamEnd)) {
      start();
      sink.begin(place());
      YamlComposer composer = new YamlComposer(events, limits, aliasAllowance, sink::duplicate);
      if (events.current() instanceof MappingStartEvent start && start.getAnchor() == null) {
        mapping(composer);
      } else {
        Json document = composer.compose();
        sink.document(document, composer.bytes());
      }
      aliasAllowance = composer.aliasAllowance();
      events.advance(); // document end
    }
  }

  /** Reads the start of a document: no directives, and only a comment after {@code ---}. */
  private void start() throws DocumentException {
    Event event = events.advance();
    if (event instanceof DocumentStartEvent start && start.getExplicit()) {
      if (start.getVersion() != null) {
        throw events.fault(start, "a %YAML directive is not supported");
      }
      Event content = events.current();
      boolean isEmpty = content instanceof ScalarEvent scalar && scalar.getValue().isEmpty();
      if (!isEmpty && content.getStartMark().getLine() == start.getEndMark().getLine()) {
        throw events.fault(content, "expected a new line after ---");
      }
    }
  }

  private SourcePosition place() {
    Mark mark = events.current().getStartMark();
    return new SourcePosition(mark.getLine() + 1, mark.getColumn() + 1);
  }

  private void mapping(YamlComposer composer) throws DocumentException {
    composer.enter();
    YamlComposer.Mapping mapping = new YamlComposer.Mapping();
    Json.Fields document = new Json.Fields(mapping.fields); // grows with the mapping
    while (!events.is(Event.ID.MappingEnd)) {
      if (YamlComposer.isMerge(events.current())) {
        composer.entry(mapping);
        continue;
      }
      String name = composer.name(mapping);
      if (name.equals("items")
          && events.current() instanceof SequenceStartEvent start
          && start.getAnchor() == null
          && DocumentSink.mayBeList(document)) {
        items(document, composer);
        mapping.fields.put(name, new Json.Items(List.of()));
      } else {
        mapping.fields.put(name, composer.compose());
      }
    }
    composer.leave();
    sink.document(document, composer.bytes());
  }

  private void items(Json.Fields head, YamlComposer composer) throws DocumentException {
    composer.enter();
    for (int index = 0; !events.is(Event.ID.SequenceEnd); index++) {
      composer.startObject();
      sink.begin(place());
      Json item = composer.compose();
      sink.item(head, index, item, composer.bytes());
    }
    composer.leave();
    composer.startObject();
  }
}
