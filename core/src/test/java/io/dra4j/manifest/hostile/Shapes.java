package io.dra4j.manifest.hostile;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The families of hostile files; each is about one thing that a reader may do once too often. */
final class Shapes {

  private static final String CLAIM =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c}
      spec:
        devices:
      """;
  private static final String SLICE =
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: s}
      spec:
        driver: d
        nodeName: n
        pool: {name: p, generation: 1, resourceSliceCount: 1}
      """;
  private static final String NODE = "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\n";
  private static final String JSON_CLAIM =
      "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\"metadata\":{\"name\":\"c\"},";
  private static final String JSON_LIST = "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[";

  private final List<Shape> shapes = new ArrayList<>();

  private Shapes() {}

  static List<Shape> all() {
    Shapes all = new Shapes();
    all.scalars();
    all.betweenTokens();
    all.nesting();
    all.collections();
    all.aliases();
    all.documents();
    all.lists();
    all.objects();
    all.problems();
    all.json();
    all.encodings();
    return all.shapes;
  }

  private void add(String name, String head, String unit, String tail) {
    shapes.add(Shape.of(name, head, unit, tail));
  }

  private void scalars() {
    add("plain scalar", "a: ", "x", "\n");
    add("plain scalar with blanks", "a: ", "x ", "\n");
    add("plain scalar of many lines", "a:\n", "  x\n", "");
    add("plain scalar of empty lines", "a: x\n", "\n", "  y\n");
    add("single-quoted scalar", "a: '", "x", "'\n");
    add("single-quoted quotes", "a: '", "''", "'\n");
    add("single-quoted lines", "a: '", "x\n ", "'\n");
    add("double-quoted scalar", "a: \"", "x", "\"\n");
    add("double-quoted escapes", "a: \"", "\\x41", "\"\n");
    add("double-quoted NULs", "a: \"", "\\0", "\"\n");
    add("double-quoted wide characters", "a: \"", "\\L", "\"\n");
    add("double-quoted empty lines", "a: \"", "\n", "\"\n");
    add("double-quoted joined lines", "a: \"", "\\\n ", "\"\n");
    add("scalar that never ends", "a: \"", "x", "");
    add("block scalar of one line", "a: |\n  ", "x", "\n");
    add("block scalar of many lines", "a: |\n", "  x\n", "");
    add("block scalar of empty lines", "a: |+\n", "\n", "");
    add("folded scalar", "a: >\n", "  x\n", "");
    add("folded scalar with deeper lines", "a: >\n  x\n", "   y\n\n", "");
    add("wide characters, one at the end", "a: ", "x", "\u4e00\n");
    add("astral characters", "a: ", "\ud83d\ude00", "\n");
    add("key", "", "x", ": 1\n");
    add("quoted key", "\"", "x", "\": 1\n");
    add("complex key", "? ", "x", "\n: 1\n");
    add("integer", "a: ", "1", "\n");
    add("integer with underscores", "a: 1", "_1", "\n");
    add("integer with zeros", "a: 0", "0", "1\n");
    add("hexadecimal", "a: 0x", "f", "\n");
    add("binary", "a: 0b", "1", "\n");
    add("fraction", "a: 0.", "1", "\n");
    add("fraction that is none", "a: 0.", "1", "x\n");
    add("exponent", "a: 1e", "9", "\n");
    add("base64", "a: !!binary ", "QUJD", "\n");
    add("tiny numbers", "a: [", "1.234567890123№5e-300,", "]\n");
    add("denormal numbers", "a: [", "4.9406564584124654e-324,", "]\n");
    add("tiny numbers in many documents", "", "---\na: [1.234567890123456e-300,5e-324]\n", "");
    add("tag", "a: !", "x", " 1\n");
    add("tag of escapes", "a: !<", "%41", "> 1\n");
    add("anchor", "a: &", "x", " 1\n");
    add("alias", "a: *", "x", "\n");
  }

  private void betweenTokens() {
    add("one comment", "#", "x", "\n" + NODE);
    add("comments", "", "# x\n", NODE);
    add("comments after a scalar", "a: b\n", "# x\n", "");
    add("short comments", "", "#\n", NODE);
    add("comments in a list", "a: [\n", "# x\n1,", "]\n");
    add("empty lines", "", "\n", NODE);
    add("carriage returns", "", "\r", NODE);
    add("line separators", "", "\u2028", NODE);
    add("next lines", "", "\u0085", NODE);
    add("blanks", "", " ", "\n" + NODE);
    add("indented empty lines", "", "  \n", NODE);
    add("tabs", "", "\t", "\n");
    add("lines of a tab", "a: b\n", "\t\n", "");
    add("tabs in a list", "[", "\t1,", "]\n");
    add("tabs after keys", "", "a№:\tb\n", "");
    add("tabs before comments", "", "\t#\n", "");
    add("byte order marks", "", "\ufeff", NODE);
    add("directive", "%", "x", "\n---\na: b\n");
    add("tag directives", "", "%TAG !a№! tag:x\n", "---\na: b\n");
    add("unknown directives", "", "%A b\n", "---\na: b\n");
    add("NUL", "a: ", "\0", "\n");
  }

  private void nesting() {
    add("open brackets", "", "[", "");
    add("open braces", "", "{", "");
    add("flow mappings in each other", "", "{a: ", "");
    add("sequences in each other", "", "- ", "");
    add("complex keys in each other", "", "? ", "");
    add("brackets on lines of their own", "", "[\n", "");
    add("brackets as keys", "", "[]: ", "");
    add("closing brackets", "", "]", "");
    add("colons", "", ": ", "");
    add("commas", "[", ",", "]");
    add("ninety levels, many leaves", "[".repeat(90), "1,", "]".repeat(90));
    add("ninety mappings, many leaves", "{a: ".repeat(90) + "[", "1,", "]" + "}".repeat(90));
    add("zigzag", "a:\n", "  - - - - x\n", "");
    add("towers", "", "- " + "[".repeat(40) + "]".repeat(40) + "\n", "");
  }

  private void collections() {
    add("flow list of numbers", "a: [", "1,", "]\n");
    add("flow list of numbers, a line each", "a: [\n", "1,\n", "]\n");
    add("flow list of texts", "a: [", "№,", "]\n");
    add("flow list of empty lists", "a: [", "[],", "]\n");
    add("flow list of empty mappings", "a: [", "{},", "]\n");
    add("flow list of pairs", "a: [", "a: b,", "]\n");
    add("flow mapping", "a: {", "k№,", "}\n");
    add("block list", "", "- 1\n", "");
    add("block list of nothing", "", "-\n", "");
    add("block mapping", "", "k№: 1\n", "");
    add("block mapping of nothing", "", "k№:\n", "");
    add("fields that differ late", "", "k".repeat(200) + "№: 1\n", "");
    add("the same field again", "a: 1\n", "a: 1\n", "");
    add("names of equal hash", "", hashed("№") + ": 1\n", "");
    add("number as names", "", "№.5e-300: 1\n", "");
  }

  /**
   * Names that {@code String.hashCode} cannot tell apart: the digits of a number as AaAa or BBBB.
   */
  private static String hashed(String number) {
    return "Aa".repeat(8) + "BB".repeat(8) + number;
  }

  private void aliases() {
    String big = "a: &a " + "x".repeat(100_000) + "\n";
    add("aliases of a text", big + "b: [", "*a,", "]\n");
    add("aliases of a text in objects", big + "---\n", NODE + "  x: &a y\n  z: *a\n---\n", "");
    add(
        "aliases in annotations",
        "apiVersion: v1\nkind: List\nx: &a " + "x".repeat(100_000) + "\nitems:\n",
        "- {apiVersion: v1, kind: Node, metadata: {name: n№, annotations: {a: *a}}}\n",
        "");
    add("aliases of a list", "a: &a [" + "1,".repeat(1000) + "]\nb: [", "*a,", "]\n");
    add("aliases of little", "a: &a 1\nb: [", "*a,", "]\n");
    add("aliases as names", "a: &a x\n", "*a : 1\n", "");
    add("anchors", "a: [", "&a№ 1,", "]\n");
    add("the same anchor again", "a: [", "&a 1,", "]\n");
    add("anchors in each other", "", "&a№ [", "");
    add("anchors in items", "kind: List\napiVersion: v1\nitems:\n", "- &a№ {x: y}\n", "");
    add("merges", "a: &a {x: y}\nb:\n", "  <<: *a\n", "");
    add("merges of one list", "a: &a {x: y}\nb:\n  <<: [", "*a,", "]\n");
    add("merges of many fields", "a: &a {" + fields(1000) + "}\nb: [", "{<<: *a},", "]\n");
    add("merges in place", "", "<<: {k№: 1}\n", "");
    add("laughs", laughs(), "x№: *l9\n", "");
  }

  private static String fields(int count) {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < count; i++) {
      fields.append("f").append(i).append(": 1, ");
    }
    return fields.toString();
  }

  private static String laughs() {
    StringBuilder laughs = new StringBuilder("l0: &l0 [lol]\n");
    for (int i = 1; i < 10; i++) {
      laughs.append("l%d: &l%d [%s]\n".formatted(i, i, ("*l" + (i - 1) + ", ").repeat(9)));
    }
    return laughs.toString();
  }

  private void documents() {
    add("starts of documents", "", "---\n", "");
    add("ends of documents", "", "...\n", "");
    add("documents of a number", "", "--- 1\n", "");
    add("documents of nothing", "", "---\n{}\n", "");
    add("documents of another kind", "", "---\n{apiVersion: v1, kind: Pad}\n", "");
    add("small claims", "", "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim}\n", "");
    add("small nodes", "", "---\napiVersion: v1\nkind: Node\nmetadata: {name: n№}\n", "");
    add("the same node", "", "---\napiVersion: v1\nkind: Node\nmetadata: {name: n}\n", "");
    add("broken documents", "", "---\n[]\n", "");
  }

  private void lists() {
    String claims = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimList\n";
    add("items of nothing", claims + "items:\n", "- {}\n", "");
    add("items of nothing in a line", claims + "items: [", "{},", "]\n");
    add("items that are null", claims + "items: [", "~,", "]\n");
    add("items of an unknown kind", "apiVersion: v1\nkind: XList\nitems: [", "{},", "]\n");
    add("items before their kind", "items: [", "{},", "]\napiVersion: v1\nkind: NodeList\n");
    add("items of no list", "items: [", "{a: b},", "]\napiVersion: v1\nkind: X\n");
    add(
        "items of no list of ours",
        "items: [",
        "{kind: Node, apiVersion: v1},",
        "]\napiVersion: v1\nkind: Node\n");
    add("items after many fields", fieldsOnLines(50_000) + "items: [", "{kind: X},", "]\n");
    add("lists of lists", claims + "items:\n", "- {apiVersion: v1, kind: List, items: [{}]}\n", "");
    add(
        "a list in a list",
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: NodeList\n  items: [",
        "{},",
        "]\n");
    add("items in capitals", "apiVersion: v1\nkind: NodeList\nItems: [", "{},", "]\n");
  }

  private static String fieldsOnLines(int count) {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < count; i++) {
      fields.append("f").append(i).append(": 1\n");
    }
    return fields.toString();
  }

  private void objects() {
    add("devices of nothing", SLICE + "  devices: [", "{},", "]\n");
    add("devices", SLICE + "  devices: [", "{name: d№},", "]\n");
    add("slices of devices", "", SLICE + "  devices: [" + "{},".repeat(1000) + "]\n---\n", "");
    add(
        "old slices of devices",
        "",
        SLICE.replace("v1\n", "v1beta1\n")
            + "  devices: ["
            + "{basic: {attributes: {a: {int: 1}}}},".repeat(100)
            + "]\n---\n",
        "");
    add(
        "attributes",
        SLICE + "  devices:\n  - name: d\n    attributes:\n",
        "      a№: {int: 1}\n",
        "");
    add(
        "slices of attributes",
        "",
        SLICE
            + "  devices:\n  - name: d\n    attributes: {"
            + fields(100).replace(": 1", ": {int: 1}")
            + "}\n---\n",
        "");
    add(
        "lists of integers",
        SLICE + "  devices:\n  - name: d\n    attributes:\n      a: {ints: [",
        "1,",
        "]}\n");
    add(
        "quantities with exponents",
        SLICE + "  devices:\n  - name: d\n    capacity:\n",
        "      c№: {value: 1e99№}\n",
        "");
    add(
        "slices of quantities",
        "",
        SLICE
            + "  devices:\n  - {name: d, capacity: {a: {value: №e990}, b: {value: №e991}}}\n---\n",
        "");
    add(
        "a long quantity",
        SLICE + "  devices:\n  - {name: d, capacity: {a: {value: ",
        "1",
        "}}}\n");
    add(
        "quantities of 10,000 digits",
        "",
        SLICE
            + "  devices:\n  - {name: d, capacity: {a: {value: "
            + "1".repeat(10_000)
            + "}}}\n---\n",
        "");
    add("taints of nothing", SLICE + "  devices:\n  - taints: [", "{},", "]\n");
    add("requests of nothing", CLAIM + "    requests: [", "{},", "]\n");
    add("alternatives of nothing", CLAIM + "    requests:\n    - firstAvailable: [", "{},", "]\n");
    add(
        "claims with requests",
        "",
        CLAIM + "    requests: [" + "{exactly: {}},".repeat(100) + "]\n---\n",
        "");
    add(
        "tolerations of nothing",
        CLAIM + "    requests:\n    - exactly: {tolerations: [",
        "{},",
        "]}\n");
    add("parameters", CLAIM + "    config:\n    - opaque: {driver: d, parameters: [", "№,", "]}\n");
    add(
        "parameters of controls",
        CLAIM + "    config:\n    - opaque: {driver: d, parameters: \"",
        "\\0",
        "\"}\n");
    add(
        "claims with parameters of controls",
        "",
        CLAIM
            + "    config:\n    - opaque: {driver: d, parameters: \""
            + "\\0".repeat(10_000)
            + "\\L\"}\n---\n",
        "");
    add("labels", NODE + "  labels:\n", "    l№: x\n", "");
    add("an annotation", NODE + "  annotations:\n    a: ", "x", "\n");
    add(
        "nodes with annotations",
        "",
        "---\n" + NODE + "  annotations: {a: " + "x".repeat(10_000) + "}\n",
        "");
    add(
        "nodes with wide annotations",
        "",
        "---\n" + NODE + "  annotations: {a: \u4e00" + "x".repeat(10_000) + "}\n",
        "");
    add(
        "nodes with annotations of controls",
        "",
        "---\n" + NODE + "  annotations: {a: \"" + "\\0".repeat(5_000) + "\\L\"}\n",
        "");
    add("owners", NODE + "  ownerReferences: [", "{},", "]\n");
    add("terms", SLICE + "  nodeSelector: {nodeSelectorTerms: [", "{},", "]}\n");
    add(
        "claims of a pod",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  resourceClaims: [",
        "{name: №},",
        "]\n");
    add(
        "claim names of a pod",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nstatus:\n  resourceClaimStatuses: [",
        "{name: №},",
        "]\n");
    add(
        "sets of many replicas",
        "",
        "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s№}\nspec:\n  replicas: 100000\n  template: {spec: {resourceClaims: [{name: x, resourceClaimName: c}]}}\n",
        "---\n" + CLAIM + "    requests: []\n");
    add(
        "replicas of many claims",
        """
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: t}
        spec: {spec: {devices: {requests: []}}}
        ---
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: s}
        spec:
          replicas: 100000
          template:
            spec:
              resourceClaims:
        """,
        "      - {name: e№, resourceClaimTemplateName: t}\n",
        "");
    add("a name", "apiVersion: v1\nkind: Node\nmetadata:\n  name: ", "x", "\n");
    add("a uid", NODE + "  uid: ", "x", "\n");
  }

  private void problems() {
    add("wrong types", NODE + "  finalizers: [", "{},", "]\n");
    add(
        "wrong types below a long name",
        SLICE
            + "  devices:\n  - name: d\n    attributes:\n      "
            + "k".repeat(200_000)
            + ": {ints: [",
        "a,",
        "]}\n");
    add("wrong types in many objects", "", NODE + "  finalizers: [{}, {}]\n---\n", "");
    add(
        "wrong values of long texts",
        "",
        NODE + "  creationTimestamp: " + "x".repeat(50_000) + "\n---\n",
        "");
    add("a kind", "apiVersion: v1\nkind: ", "x", "\n");
    add("kinds", "", "apiVersion: v1\nkind: " + "x".repeat(10_000) + "№\n---\n", "");
    add("an API version", "kind: Node\napiVersion: ", "x", "\n");
    add(
        "an unknown version of ours",
        "kind: ResourceClaim\napiVersion: resource.k8s.io/",
        "x",
        "\n");
    add(
        "unknown versions of ours",
        "",
        "kind: ResourceClaim\napiVersion: resource.k8s.io/" + "x".repeat(10_000) + "\n---\n",
        "");
    add("a list without items", "apiVersion: v1\nitems: 5\nkind: ", "x", "List\n");
    add("undefined tag handles", "", "--- !a№!x y\n", "");
  }

  private void json() {
    add("JSON brackets", "{\"a\":", "[", "");
    add("JSON braces", "", "{\"a\":", "");
    add("JSON string", "{\"a\":\"", "x", "\"}");
    add("JSON string of controls", "{\"a\":\"", "\\u0000", "\"}");
    add("JSON string of half surrogates", "{\"a\":\"", "\\ud800", "\"}");
    add("JSON string that never ends", "{\"a\":\"", "x", "");
    add("JSON name", "{\"", "x", "\":1}");
    add("JSON names", "{", "\"k№\":1,", "\"z\":1}");
    add("JSON objects of many names", "", "{\"k№\":1}", "");
    add("JSON objects of long names", "", "{\"" + "k".repeat(600) + "№\":1}", "");
    add("JSON objects of very long names", "", "{\"" + "k".repeat(6000) + "№\":1}", "");
    add("JSON names of equal hash", "{", "\"" + hashed("№") + "\":1,", "\"z\":1}");
    add("JSON number", "{\"a\":", "1", "}");
    add("JSON numbers", "{\"a\":[", "1,", "1]}");
    add("JSON fractions", "{\"a\":[", "1.5e300,", "1]}");
    add("JSON texts", "{\"a\":[", "\"\",", "1]}");
    add("JSON lists of nothing", "{\"a\":[", "[],", "1]}");
    add("JSON objects of nothing", "{\"a\":[", "{},", "1]}");
    add("JSON stream of nulls", "", "null ", "");
    add("JSON stream of objects", "", "{}", "");
    add(
        "JSON stream of nodes",
        "",
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n№\"}}\n",
        "");
    add("JSON that is YAML at its end", JSON_LIST, "{\"a\":1},", "{'b':1}]}");
    add("JSON that ends too early", JSON_LIST, "{\"apiVersion\":\"v1\",\"kind\":\"Node\"},", "");
    add("JSON blanks", "{", " ", "}");
    add("JSON empty lines", "{", "\n", "}");
    add("JSON items", JSON_LIST, "{},", "{}]}");
    add(
        "JSON items before their kind",
        "{\"items\":[",
        "{},",
        "{}],\"kind\":\"List\",\"apiVersion\":\"v1\"}");
    add("JSON claims", "", JSON_CLAIM + "\"spec\":{}}", "");
    add(
        "JSON devices",
        "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"spec\":{\"devices\":[",
        "{},",
        "{}]}}");
    add(
        "JSON annotation",
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"annotations\":{\"a\":\"",
        "x",
        "\"}}}");
    add(
        "JSON nodes with wide annotations",
        "",
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"annotations\":{\"a\":\"\u4e00"
            + "x".repeat(10_000)
            + "\"}}}",
        "");
    add(
        "JSON nodes with annotations of controls",
        "",
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"annotations\":{\"a\":\""
            + "\\u0001".repeat(2_000)
            + "\\u4e00\"}}}",
        "");
    add("JSON after blanks", " ".repeat(100_000), "\n", "{\"a\":1}");
  }

  private void encodings() {
    for (Shape shape : List.copyOf(shapes)) {
      switch (shape.name()) {
        case "plain scalar", "comments", "flow list of numbers", "JSON string", "JSON items" -> {
          String mark = "\ufeff";
          Shape marked = Shape.of(shape.name(), mark + shape.head(), shape.unit(), shape.tail());
          shapes.add(marked.in(StandardCharsets.UTF_16LE, "UTF-16LE"));
          shapes.add(marked.in(StandardCharsets.UTF_16BE, "UTF-16BE"));
        }
        default -> {}
      }
    }
    shapes.add(
        Shape.of("bytes that are no UTF-8", "a: ", "\u00ff", "")
            .in(StandardCharsets.ISO_8859_1, "Latin-1"));
  }
}
