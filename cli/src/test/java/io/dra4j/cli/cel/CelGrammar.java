package io.dra4j.cli.cel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The productions of random selectors, as the resource {@code cel-grammar.txt} lists and explains
 * them, and those of {@link CelCalls}.
 *
 * @param productions all of them
 */
record CelGrammar(List<Production> productions) {

  private static final Pattern LINE = Pattern.compile("(\\d+) (\\S+) <-(!?) (.*)", Pattern.DOTALL);
  private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");

  CelGrammar {
    productions = List.copyOf(productions);
  }

  /**
   * A type of CEL, a kind of text, or a type variable.
   *
   * @param name its name
   * @param arguments the type arguments
   */
  record Type(String name, List<Type> arguments) {

    Type {
      arguments = List.copyOf(arguments);
    }

    boolean isVariable() {
      return name.length() == 1 && Character.isUpperCase(name.charAt(0));
    }

    /** Whether this is a kind of text, which is not a CEL type. */
    boolean isKind() {
      return name.length() > 1 && Character.isUpperCase(name.charAt(0));
    }

    static Type parse(String text) {
      int[] position = {0};
      Type type = parse(text, position);
      if (position[0] != text.length()) {
        throw new IllegalArgumentException("not a type: " + text);
      }
      return type;
    }

    private static Type parse(String text, int[] position) {
      int start = position[0];
      while (position[0] < text.length() && "(),".indexOf(text.charAt(position[0])) < 0) {
        position[0]++;
      }
      String name = text.substring(start, position[0]);
      List<Type> arguments = new ArrayList<>();
      if (position[0] < text.length() && text.charAt(position[0]) == '(') {
        do {
          position[0]++;
          arguments.add(parse(text, position));
        } while (text.charAt(position[0]) == ',');
        position[0]++;
      }
      return new Type(name, arguments);
    }

    /** This type with its variables replaced. */
    Type with(Map<String, Type> variables) {
      if (isVariable()) {
        return Objects.requireNonNull(variables.get(name));
      }
      return new Type(name, arguments.stream().map(type -> type.with(variables)).toList());
    }

    void addVariablesTo(List<String> names) {
      if (isVariable() && !names.contains(name)) {
        names.add(name);
      }
      arguments.forEach(type -> type.addVariablesTo(names));
    }

    /** Whether this pattern can be made the type; the variables it needs are put into the map. */
    boolean matches(Type type, Map<String, Type> variables) {
      if (isVariable()) {
        return variables.computeIfAbsent(name, any -> type).equals(type);
      }
      if (!name.equals(type.name) || arguments.size() != type.arguments.size()) {
        return false;
      }
      for (int i = 0; i < arguments.size(); i++) {
        if (!arguments.get(i).matches(type.arguments.get(i), variables)) {
          return false;
        }
      }
      return true;
    }
  }

  /** A part of a template. */
  sealed interface Piece {}

  /**
   * Literal text.
   *
   * @param text the text
   */
  record Text(String text) implements Piece {}

  /**
   * A name that the expression declares.
   *
   * @param name its name in the template
   */
  record Name(String name) implements Piece {}

  /**
   * A place for an expression.
   *
   * @param type its type
   * @param known the declared names that it may use, and their types
   */
  record Hole(Type type, Map<String, Type> known) implements Piece {}

  /**
   * A production of an expression.
   *
   * @param weight the relative frequency
   * @param type the type of the expression
   * @param pieces the template
   * @param ends whether it may end an expression
   */
  record Production(int weight, Type type, List<Piece> pieces, boolean ends) {

    Production {
      pieces = List.copyOf(pieces);
    }

    /** The type variables of this production for the type, or nothing if it is of another one. */
    Optional<Map<String, Type>> variablesFor(Type wanted) {
      if (wanted.isKind() && type.isVariable()) {
        return Optional.empty();
      }
      Map<String, Type> variables = new HashMap<>();
      return type.matches(wanted, variables) ? Optional.of(variables) : Optional.empty();
    }

    /** The type variables in the holes. */
    List<String> variables() {
      List<String> names = new ArrayList<>();
      for (Piece piece : pieces) {
        if (piece instanceof Hole hole) {
          hole.type().addVariablesTo(names);
          hole.known().values().forEach(known -> known.addVariablesTo(names));
        }
      }
      return names;
    }
  }

  static CelGrammar read() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(CelGrammar.class.getResourceAsStream("cel-grammar.txt"))) {
      List<Production> productions = new ArrayList<>();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.split("\n(?=\\d+ |#|\n)", -1)) {
        if (line.isBlank() || line.startsWith("#") || line.startsWith("\n#")) {
          continue;
        }
        Matcher parts = LINE.matcher(line.strip());
        if (!parts.matches()) {
          throw new IOException("not a production: " + line);
        }
        List<Piece> pieces = pieces(parts.group(4));
        boolean ends =
            !parts.group(3).isEmpty() || pieces.stream().noneMatch(Hole.class::isInstance);
        productions.add(
            new Production(
                Integer.parseInt(parts.group(1)), Type.parse(parts.group(2)), pieces, ends));
      }
      productions.addAll(CelCalls.productions());
      return new CelGrammar(productions);
    }
  }

  private static List<Piece> pieces(String template) {
    List<Piece> pieces = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if ((c == '{' || c == '}') && template.startsWith(String.valueOf(c), i + 1)) {
        text.append(c);
        i++;
      } else if (c == '{') {
        addText(text.toString(), pieces);
        text.setLength(0);
        int end = template.indexOf('}', i);
        pieces.add(hole(template.substring(i + 1, end)));
        i = end;
      } else {
        text.append(c);
      }
    }
    addText(text.toString(), pieces);
    return pieces;
  }

  private static void addText(String text, List<Piece> pieces) {
    Matcher name = VARIABLE.matcher(text);
    int from = 0;
    while (name.find()) {
      pieces.add(new Text(text.substring(from, name.start())));
      pieces.add(new Name(name.group(1)));
      from = name.end();
    }
    if (from < text.length()) {
      pieces.add(new Text(text.substring(from)));
    }
  }

  private static Hole hole(String text) {
    String[] parts = text.split("; ", 2);
    Map<String, Type> known = new LinkedHashMap<>();
    if (parts.length > 1) {
      for (String entry : parts[1].split(", (?=\\w+:)", -1)) {
        String[] pair = entry.split(": ", 2);
        known.put(pair[0], Type.parse(pair[1]));
      }
    }
    return new Hole(Type.parse(parts[0]), known);
  }
}
