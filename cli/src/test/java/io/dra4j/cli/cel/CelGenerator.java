package io.dra4j.cli.cel;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Random selectors and random devices. The same seed gives the same ones. */
final class CelGenerator {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final CelGrammar.Type BOOL = CelGrammar.Type.parse("bool");
  private static final CelGrammar.Type CLOSE_LOOK = CelGrammar.Type.parse("Close");
  private static final int MOST_PARTS = 60;

  /** The types that type variables stand for. */
  private static final List<CelGrammar.Type> TYPES =
      List.of(
              "int int int int string string string string bool bool dyn dyn double uint bytes",
              "duration timestamp quantity semver ip cidr url null type list(int) list(string)",
              "map(string,int) map(int,string) optional(int) optional(string) map(string,dyn)",
              "list(list(int)) entry")
          .stream()
          .flatMap(line -> List.of(line.split(" ", -1)).stream())
          .map(CelGrammar.Type::parse)
          .toList();

  /** The types whose values the reference returns. */
  private static final List<CelGrammar.Type> COMPARED =
      Stream.of("string", "string", "int", "double", "uint", "list(string)", "list(int)")
          .map(CelGrammar.Type::parse)
          .toList();

  private static final List<String> DRIVERS = List.of("gpu.example.com", "d", "d", "other.io");
  private static final List<String> DOMAINS = List.of("d/", "gpu.example.com/", "other.io/");
  private static final List<String> NAMES =
      List.of("s", "s2", "i", "i2", "b", "v", "ls", "li", "lb", "lv");
  private static final List<String> STRINGS =
      List.of("abc", "", "gpu", "a", "hello world", "1.2.3", "10.1.2.3", "Ünï", "x".repeat(64));
  private static final List<Long> INTEGERS =
      List.of(0L, 1L, 2L, 3L, -1L, 8192L, Long.MAX_VALUE, Long.MIN_VALUE);
  private static final List<String> VERSIONS =
      List.of("1.2.3", "580.126.20", "1.2.3-rc.1+build.7", "0.0.0");
  private static final List<String> AMOUNTS =
      List.of("1Gi", "80Gi", "500m", "0", "12", "1e40", "9223372036854775807", "-1", "1.5");

  private final CelGrammar grammar;
  private final Map<CelGrammar.Type, List<Candidate>> candidates = new HashMap<>();

  CelGenerator(CelGrammar grammar) {
    this.grammar = grammar;
  }

  /**
   * A production that fits.
   *
   * @param production the production
   * @param variables the type variables that its type fixes
   */
  private record Candidate(
      CelGrammar.Production production, Map<String, CelGrammar.Type> variables) {}

  /**
   * A random selector and a random device.
   *
   * @param seed which
   */
  CelPair pair(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int depth = 1 + random.nextInt(5);
    CelExpression expression;
    if (random.nextInt(4) == 0) {
      expression = new Writer(random).write(CLOSE_LOOK, depth + 2, Map.of());
    } else if (random.nextInt(5) > 0) {
      expression = new Writer(random).write(BOOL, depth, Map.of());
    } else {
      CelExpression value = new Writer(random).write(pick(COMPARED, random), depth, Map.of());
      expression =
          new CelExpression(List.of(new CelPart.Text("dyn("), value, new CelPart.Text(")")));
    }
    if (random.nextInt(12) == 0) {
      expression = CelExpression.of(CelGarbler.garbled(expression.text(), random));
    }
    String driver = pick(DRIVERS, random);
    return new CelPair(expression, driver, device(driver, random));
  }

  /** Writes one expression. */
  private final class Writer {

    private final SplittableRandom random;
    private int written;
    private int names;

    Writer(SplittableRandom random) {
      this.random = random;
    }

    CelExpression write(CelGrammar.Type wanted, int depth, Map<String, CelGrammar.Type> known) {
      written++;
      CelGrammar.Type type = wanted;
      if (!type.isKind() && depth > 0) {
        int chance = random.nextInt(200);
        if (chance < 2) {
          type = pick(TYPES, random); // most probably a wrong one
        } else if (chance < 7) {
          CelGrammar.Type other = chance < 4 ? type : pick(TYPES, random);
          return new CelExpression(
              List.of(
                  new CelPart.Text("dyn("), write(other, depth - 1, known), new CelPart.Text(")")));
        }
      }
      List<String> fitting = new ArrayList<>();
      for (Map.Entry<String, CelGrammar.Type> entry : known.entrySet()) {
        if (entry.getValue().equals(type)) {
          fitting.add(entry.getKey());
        }
      }
      boolean end = depth <= 0 || written > MOST_PARTS;
      if (!fitting.isEmpty() && random.nextInt(10) < (end ? 7 : 2)) {
        return CelExpression.of(pick(fitting, random));
      }
      Candidate candidate = choose(type, end);
      Map<String, CelGrammar.Type> variables = new HashMap<>(candidate.variables());
      for (String name : candidate.production().variables()) {
        variables.computeIfAbsent(name, any -> pick(TYPES, random));
      }
      return fill(candidate.production(), variables, depth, known);
    }

    private CelExpression fill(
        CelGrammar.Production production,
        Map<String, CelGrammar.Type> variables,
        int depth,
        Map<String, CelGrammar.Type> known) {
      Map<String, String> declared = new HashMap<>();
      boolean parentheses = random.nextInt(5) > 0;
      List<CelPart> parts = new ArrayList<>();
      for (CelGrammar.Piece piece : production.pieces()) {
        if (piece instanceof CelGrammar.Text text) {
          parts.add(
              new CelPart.Text(
                  text.text()
                      .replace("⟨", parentheses ? "(" : "")
                      .replace("⟩", parentheses ? ")" : "")));
        } else if (piece instanceof CelGrammar.Name name) {
          String fresh = declared.computeIfAbsent(name.name(), any -> fresh());
          parts.add(new CelPart.Text(fresh));
        } else if (piece instanceof CelGrammar.Hole hole) {
          Map<String, CelGrammar.Type> inner = new HashMap<>(known);
          hole.known().forEach((name, type) -> inner.put(declared.get(name), type.with(variables)));
          parts.add(write(hole.type().with(variables), depth - 1, inner));
        }
      }
      return new CelExpression(parts);
    }

    /** Names are used again now and then, so that inner ones hide outer ones. */
    private String fresh() {
      return "xyzw".charAt(random.nextInt(4)) + (random.nextInt(3) == 0 ? "" : "" + names++);
    }

    private Candidate choose(CelGrammar.Type type, boolean end) {
      List<Candidate> all =
          candidates.computeIfAbsent(
              type,
              any ->
                  grammar.productions().stream()
                      .flatMap(
                          production ->
                              production.variablesFor(type).stream()
                                  .map(variables -> new Candidate(production, variables)))
                      .toList());
      int total = 0;
      for (Candidate candidate : all) {
        total += weight(candidate, end);
      }
      if (total == 0) {
        throw new IllegalStateException("nothing ends an expression of type " + type);
      }
      int left = random.nextInt(total);
      for (Candidate candidate : all) {
        left -= weight(candidate, end);
        if (left < 0) {
          return candidate;
        }
      }
      throw new IllegalStateException("unreachable");
    }

    private int weight(Candidate candidate, boolean end) {
      CelGrammar.Production production = candidate.production();
      if (end && !production.ends()) {
        return 0;
      }
      // At the end, what has no holes; before, seldom what has none.
      boolean holes = production.pieces().stream().anyMatch(CelGrammar.Hole.class::isInstance);
      int weight = production.weight() * 4;
      return holes == end ? Math.max(1, weight / 4) : weight;
    }
  }

  private static ObjectNode device(String driver, SplittableRandom random) {
    // Names of the driver's own domain are written in one way, as the API server wants it.
    String own = random.nextBoolean() ? "" : driver + "/";
    List<String> domains = new ArrayList<>(List.of(own));
    DOMAINS.stream().filter(domain -> !domain.equals(driver + "/")).forEach(domains::add);
    ObjectNode device = JSON.createObjectNode();
    ObjectNode attributes = device.putObject("attributes");
    for (String domain : domains) {
      int chance = pick(List.of(0, 2, 8, 10), random); // of each attribute of the domain, in tenths
      for (String name : NAMES) {
        if (random.nextInt(10) < chance) {
          String values = random.nextInt(15) == 0 ? pick(NAMES, random) : name;
          putValue(attributes.putObject(domain + name), values, random);
        }
      }
    }
    if (random.nextInt(200) == 0) {
      attributes.putObject("d/unset");
    }
    if (random.nextInt(200) == 0) {
      attributes.putObject("d/broken").put("version", pick(List.of("1.2", "", "v1.0.0"), random));
    }
    ObjectNode capacity = device.putObject("capacity");
    for (String domain : domains) {
      for (String name : List.of("mem", "cores")) {
        if (random.nextInt(3) > 0) {
          capacity.putObject(domain + name).put("value", pick(AMOUNTS, random));
        }
      }
    }
    if (random.nextBoolean()) {
      device.put("allowMultipleAllocations", random.nextBoolean());
    }
    return device;
  }

  private static void putValue(ObjectNode attribute, String name, SplittableRandom random) {
    switch (name) {
      case "s", "s2" -> attribute.put("string", pick(STRINGS, random));
      case "i", "i2" -> attribute.put("int", pick(INTEGERS, random));
      case "b" -> attribute.put("bool", random.nextBoolean());
      case "v" -> attribute.put("version", pick(VERSIONS, random));
      case "ls" ->
          add(attribute.putArray("strings"), random, list -> list.add(pick(STRINGS, random)));
      case "li" ->
          add(attribute.putArray("ints"), random, list -> list.add(pick(INTEGERS, random)));
      case "lb" -> add(attribute.putArray("bools"), random, list -> list.add(random.nextBoolean()));
      default ->
          add(attribute.putArray("versions"), random, list -> list.add(pick(VERSIONS, random)));
    }
  }

  private static void add(
      ArrayNode list, SplittableRandom random, java.util.function.Consumer<ArrayNode> element) {
    for (int count = 1 + random.nextInt(3); count > 0; count--) {
      element.accept(list);
    }
  }

  private static <T> T pick(List<T> list, SplittableRandom random) {
    return list.get(random.nextInt(list.size()));
  }
}
