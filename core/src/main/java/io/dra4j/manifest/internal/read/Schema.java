package io.dra4j.manifest.internal.read;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The fields of objects in Kubernetes 1.37, in each of their versions, from {@code fields.txt}.
 * {@code core/src/fields} writes this file from the types of the Go module k8s.io/api, and of the
 * modules that define MPIJob, JobSet and LeaderWorkerSet.
 */
public final class Schema {

  /** The shape of the value of a field. */
  public enum Shape {
    OBJECT,
    LIST,
    MAP,
    VALUE
  }

  /**
   * A field.
   *
   * @param type the name of the type of its objects; empty if it has none
   */
  public record Field(Shape shape, String type) {

    static Field of(String text) {
      if (text.isEmpty()) {
        return new Field(Shape.VALUE, "");
      }
      String inside = text.substring(1, text.length() - 1);
      return switch (text.charAt(0)) {
        case '[' -> new Field(Shape.LIST, inside);
        case '{' -> new Field(Shape.MAP, inside);
        default -> new Field(Shape.OBJECT, text);
      };
    }
  }

  /**
   * A field at any depth below a type.
   *
   * @param path the path to the field, with {@code []} after lists and maps
   * @param lists the number of lists and maps on the path
   */
  record Below(String path, Field field, int lists) {

    private Below to(String name, Field inner) {
      boolean isMany = field.shape() == Shape.LIST || field.shape() == Shape.MAP;
      String start = path.isEmpty() ? "" : path + (isMany ? "[]." : ".");
      return new Below(start + name, inner, lists + (isMany ? 1 : 0));
    }

    private static List<Below> throughFewestLists(List<Below> places) {
      int fewest = places.stream().mapToInt(Below::lists).min().orElse(0);
      return places.stream().filter(one -> one.lists() == fewest).toList();
    }
  }

  /** The most objects around a field to search; exactly.tolerations is in three of a claim. */
  private static final int MAX_DEPTH = 4;

  /**
   * The schema of Kubernetes, read on first use: programs that only create objects do not need it.
   */
  private static final class Kubernetes {
    static final Schema SCHEMA = read();

    private Kubernetes() {}

    private static Schema read() {
      try (InputStream in = Schema.class.getResourceAsStream("fields.txt")) {
        if (in == null) {
          throw new IllegalStateException("fields.txt is missing in the jar");
        }
        return new Schema(new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final Map<String, String> roots = new HashMap<>();
  private final Map<String, Map<String, Field>> types = new HashMap<>();
  private final Map<String, Map<String, List<Below>>> indexes = new ConcurrentHashMap<>();

  private Schema(BufferedReader lines) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      if (words.length == 4 && words[2].equals("=")) {
        roots.put(words[0] + " " + words[1], words[3]);
        continue;
      }
      Map<String, Field> fields = new LinkedHashMap<>();
      for (int i = 1; i < words.length; i++) {
        int colon = words[i].indexOf(':');
        fields.put(
            colon < 0 ? words[i] : words[i].substring(0, colon),
            Field.of(colon < 0 ? "" : words[i].substring(colon + 1)));
      }
      types.put(words[0], fields);
    }
  }

  /** Returns the schema of Kubernetes. */
  public static Schema kubernetes() {
    return Kubernetes.SCHEMA;
  }

  /** The type of objects of a kind, or {@code null} if the kind cannot be read. */
  @Nullable
  public String typeOf(String apiVersion, String kind) {
    return roots.get(apiVersion + " " + kind);
  }

  /** A field of a type, or {@code null} if it has none of that name. */
  @Nullable
  public Field field(String type, String name) {
    Map<String, Field> fields = types.get(type);
    return fields == null ? null : fields.get(name);
  }

  /** The fields of a name in the direct objects of a type, for example {@code exactly.count}. */
  List<String> below(String type, String name) {
    List<String> found = new ArrayList<>();
    types
        .getOrDefault(type, Map.of())
        .forEach(
            (outer, field) -> {
              if (field.shape() == Shape.OBJECT && names(field.type()).contains(name)) {
                found.add(outer + "." + name);
              }
            });
    return found;
  }

  /**
   * The places of a name below a type, a few levels deep: the places through the fewest lists, for
   * example {@code devices.requests[].exactly.count}. Does not search {@code status}, and searches
   * only the {@code metadata} of the type itself.
   */
  List<Below> anywhereBelow(String type, String name) {
    return indexes.computeIfAbsent(type, this::index).getOrDefault(name, List.of());
  }

  private Map<String, List<Below>> index(String root) {
    Map<String, List<Below>> found = new HashMap<>();
    List<Below> level = List.of(new Below("", new Field(Shape.OBJECT, root), 0));
    for (int depth = 0; depth <= MAX_DEPTH; depth++) {
      List<Below> next = new ArrayList<>();
      for (Below outer : level) {
        types
            .getOrDefault(outer.field().type(), Map.of())
            .forEach(
                (name, field) -> {
                  Below below = outer.to(name, field);
                  found.computeIfAbsent(name, one -> new ArrayList<>()).add(below);
                  if (!field.type().isEmpty() && isSearched(name, outer)) {
                    next.add(below);
                  }
                });
      }
      level = next;
    }
    found.replaceAll((name, places) -> Below.throughFewestLists(places));
    return found;
  }

  private static boolean isSearched(String name, Below outer) {
    return !name.equals("status")
        && !outer.path().equals("metadata")
        && (!name.equals("metadata") || outer.path().isEmpty());
  }

  /** The names of the fields of a type. */
  public Set<String> names(String type) {
    return types.getOrDefault(type, Map.of()).keySet();
  }
}
