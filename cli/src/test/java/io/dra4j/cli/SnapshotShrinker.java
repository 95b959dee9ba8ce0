package io.dra4j.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes a snapshot smaller as long as it still shows the difference. */
final class SnapshotShrinker {

  /** Whether a snapshot shows the difference. */
  interface Shows {
    boolean test(List<JsonNode> documents) throws IOException, InterruptedException;
  }

  private static final int MAX_TRIES = 600;

  private final Shows shows;
  private int tries;

  SnapshotShrinker(Shows shows) {
    this.shows = shows;
  }

  List<JsonNode> shrink(List<JsonNode> documents) throws IOException, InterruptedException {
    List<JsonNode> current = new ArrayList<>(documents);
    boolean smaller = true;
    while (smaller && tries < MAX_TRIES) {
      smaller = false;
      for (int i = current.size() - 1; i >= 0; i--) {
        List<JsonNode> without = new ArrayList<>(current);
        without.remove(i);
        if (stillShows(without)) {
          current = without;
          smaller = true;
        }
      }
      for (int i = 0; i < current.size(); i++) {
        smaller |= shrinkBelow(current, current.get(i));
      }
    }
    return current;
  }

  /** Takes away list items and fields anywhere in the value, deepest last. */
  private boolean shrinkBelow(List<JsonNode> documents, JsonNode value)
      throws IOException, InterruptedException {
    boolean smaller = false;
    if (value instanceof ArrayNode array) {
      for (int i = array.size() - 1; i >= 0; i--) {
        JsonNode removed = array.remove(i);
        if (stillShows(documents)) {
          smaller = true;
        } else {
          array.insert(i, removed);
        }
      }
    } else if (value instanceof ObjectNode object) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        JsonNode removed = object.remove(name);
        if (stillShows(documents)) {
          smaller = true;
        } else {
          object.set(name, removed);
        }
      }
    }
    for (JsonNode child : value) {
      smaller |= shrinkBelow(documents, child);
    }
    return smaller;
  }

  private boolean stillShows(List<JsonNode> documents) throws IOException, InterruptedException {
    return tries++ < MAX_TRIES && shows.test(documents);
  }
}
