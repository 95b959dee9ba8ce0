package io.dra4j.allocation.internal.request;

import java.util.HashMap;
import java.util.Map;

/** The attributes that drivers publish, as the constraints of one search compare them. */
public final class AttributeTables {

  public final SearchContext context;
  public final SearchCache memory;
  private final Map<String, AttributeTable> published = new HashMap<>();

  public AttributeTables(SearchContext context, SearchCache memory) {
    this.context = context;
    this.memory = memory;
  }

  /** Returns the table of an attribute; all constraints that compare it share one table. */
  public AttributeTable published(String name) {
    AttributeTable known = published.get(name);
    if (known == null) {
      known = AttributeTable.published(name, context, memory);
      published.put(name, known);
    }
    return known;
  }
}
