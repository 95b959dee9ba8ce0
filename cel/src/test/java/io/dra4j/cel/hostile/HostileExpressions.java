package io.dra4j.cel.hostile;

import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Families of expressions within the 10 KiB of the API that cost as much as they can. */
final class HostileExpressions {

  private static final int MAX = 10 * 1024;

  private HostileExpressions() {}

  /** Returns the expressions by family. */
  static Map<String, List<String>> families() {
    Map<String, List<String>> all = new LinkedHashMap<>();
    all.put(
        "patterns as constants",
        List.of(
            "'x'.matches('(?i)" + "[!-\uffff]".repeat(1_200) + "')",
            repeated(
                "'x'.find('(?i)[!-\\\\x{ffff}][!-\\\\x{fffe}][!-\\\\x{fffd}]%d') == '' || ",
                "true"),
            "'x'.matches('"
                + IntStream.range(0, 1_500)
                    .mapToObj(i -> Character.toString(0x800 + 2 * i))
                    .collect(Collectors.joining("|"))
                + "')",
            repeated("'x'.matches('a{1000}b{1000}%d') || ", "true"),
            repeated("'x'.matches('(a|b){500}%d') || ", "true"),
            repeated("'x'.matches('[a-z]{900}\\\\p{L}%d') || ", "true")));
    all.put(
        "patterns made in loops",
        List.of(
            repeated(
                "lists.range(64).all(x, !''.matches('"
                    + "a{1000}".repeat(49)
                    + "' + string(x))) && ",
                "true"),
            "lists.range(4000).all(x, !'aaaa'.matches('(a|aa){1,50}' + string(x)))",
            "lists.range(900).all(x, !'"
                + "a".repeat(900)
                + "'.matches('(a*)*(a*)*b' + string(x)))"));
    String letters = "('" + "ab,".repeat(400) + "' + string(x)).split('')";
    all.put(
        "values that rounds make, and what keeps them",
        List.of(
            "lists.range(9000).all(x, " + letters + ".size() > 0)",
            "cel.bind(l, [], lists.range(9000).all(x, (l + [" + letters + "]).size() > 0))",
            "cel.bind(m, cel.bind(l, [], [l]), lists.range(9000).all(x, (m[0] + ["
                + letters
                + "]).size() > 0))",
            "cel.bind(l, [], lists.range(9000).all(y, cel.bind(x, y, (l + ["
                + letters
                + "]).size() > 0)))",
            "lists.range(9000).map(x, " + letters + ").all(y, y.size() > 0)",
            "lists.range(9000).all(y, lists.range(99).map(x, " + letters + ").size() > 0)",
            "lists.range(9000).transformMapEntry(i, x, {x: " + letters + "}).size() > 0",
            "cel.bind(s, lists.range(9).map(x, "
                + letters
                + "), "
                + IntStream.range(0, 90)
                    .mapToObj(i -> "cel.bind(b" + i + ", s + lists.range(2000).map(x, [x, x]), ")
                    .collect(Collectors.joining())
                + "lists.range(99).all(x, "
                + IntStream.range(0, 90)
                    .mapToObj(i -> "b" + i + ".size() > x")
                    .collect(Collectors.joining(" && "))
                + ")"
                + ")".repeat(91)));
    all.put(
        "searches",
        List.of(
            "'" + "a".repeat(5_000) + "'.matches('(a|a|aa)*c$')",
            "lists.range(200).all(x, !'"
                + "ab".repeat(4_000)
                + "'.contains('"
                + "ab".repeat(500)
                + "c'))",
            "'" + "a".repeat(8_000) + "'.findAll('a*?').size() > 0",
            "lists.range(300).all(x, '" + "a,".repeat(4_000) + "'.split(',').size() > 0)"));
    all.put(
        "loops in loops",
        List.of(
            loops(2, 2_000, "true"),
            loops(3, 200, "true"),
            loops(6, 30, "x0 + x1 + x2 >= 0"),
            loops(8, 10, "true"),
            "lists.range(9223372036854775807).size() > 0",
            "lists.range(100000).map(x, lists.range(100)).size() > 0"));
    all.put(
        "lists",
        List.of(
            "lists.range(30000).map(x, -x).sort().size() > 0",
            "lists.range(9000).map(x, string(x)).sortBy(s, s).size() > 0",
            "lists.range(4000).distinct().size() > 0",
            "lists.range(3000).map(x, [x % 7, [x % 3]]).distinct().size() > 0",
            "sets.contains(lists.range(900), lists.range(900))",
            "lists.range(700) == lists.range(700).reverse()",
            "[lists.range(500)].flatten(9223372036854775807).size() > 0",
            "lists.range(900).map(x, lists.range(900)).flatten().sum() > 0",
            "lists.range(200).map(x, lists.range(200).map(y, 'abcdefghijk')) == lists.range(200).map(x, lists.range(200).map(y, 'abcdefghijk'))"));
    all.put(
        "doubling",
        List.of(
            doubling("'x'", 30),
            doubling("[1]", 30),
            doubling("b'x'", 30),
            doubling("['a', 'b']", 24) + "",
            "lists.range(40).map(x, '"
                + "a".repeat(200)
                + "'.replace('', '"
                + "b".repeat(5_000)
                + "')).size() > 0",
            "lists.range(900).map(x, '" + "a".repeat(9_000) + "').join(',').size() > 0",
            "lists.range(500).all(x, '"
                + "ab".repeat(2_000)
                + "'.replace('a', 'ccccccccccc').size() > 0)"));
    all.put(
        "numbers and names in text",
        List.of(
            "quantity('1" + "0".repeat(9_000) + "') != quantity('1')",
            "quantity('1e" + "9".repeat(18) + "') != quantity('1')",
            "semver('1.2.3-" + "a.".repeat(4_000) + "b') != semver('1.2.3')",
            "double('1" + "0".repeat(9_000) + "') > 0.0",
            "double('0." + "0".repeat(9_000) + "1') > 0.0",
            "url('http://a/" + "%41".repeat(3_000) + "').getHost() == ''",
            "ip('" + "1".repeat(9_000) + "') == ip('::')",
            "duration('" + "1h".repeat(4_000) + "') > duration('1s')",
            "timestamp('"
                + "2020-01-01T00:00:00Z".repeat(400)
                + "') > timestamp('2020-01-01T00:00:00Z')",
            "lists.range(900).all(x, timestamp('2020-01-01T00:00:00Z').getHours('Europe/Berlin' + string(x)) == 1)",
            "'%.1000f'.format([1.5]).size() > 0",
            repeated(
                "'%%.32767f%%.32767f%%.32767f%%.32767f'.format([1e300, 3e-9, 1e-310, %d.5]) != '' && ",
                "true"),
            repeated("'%%.999e'.format([1.5]) != '' && ", "true"),
            "lists.range(500).all(x, '"
                + "%s".repeat(300)
                + "'.format(["
                + "x,".repeat(299)
                + "x]).size() > 0)"));
    all.put(
        "calls that cost little",
        List.of(
            bound("'1111111111'", 14, "double(x14 + 'x') == 1.0"),
            bound("'abcdefabcd'", 14, "double('0x' + x14) == 1.0"),
            bound(
                "[1, 2]",
                14,
                "cel.bind(m, {"
                    + numbered("dyn(%d): x14, ", 100)
                    + "dyn(1.5): x14}, lists.range(1000).exists(i, '%s'.format([m]) == ''))"),
            bound("[dyn(1), dyn(2)]", 24, "x24.sort().size() > 0"),
            bound("[dyn(1), dyn(2)]", 16, "lists.range(99).all(i, x16.sort().size() > 0)"),
            bound("['']", 28, "x28.join() == ''"),
            bound("['']", 22, "x22.join('') == ''"),
            bound("['']", 22, "x22.max() == ''"),
            bound("[optional.none()]", 17, "lists.range(9000).all(i, x17.unwrapOpt().size() == 0)"),
            "cel.bind(u, url('/?' + lists.range(9000).map(i, string(i)).join('&')),"
                + " lists.range(20000).all(i, u.getQuery().size() > 1))",
            bound(
                "'%FF%FF%FF%FF'",
                14,
                "cel.bind(u, url('/' + x14), lists.range(90).all(i, u.getEscapedPath() != ''))"),
            bound(
                "'%FF%FF%FF%FF'",
                14, "cel.bind(u, url('/' + x14), lists.range(2000).all(i, u == u))"),
            bound(
                "'%FF%FF%FF%FF'",
                14,
                "cel.bind(u, url('http://' + x14 + '/'),"
                    + " lists.range(20000).all(i, u.getPort() == ''))"),
            bound(
                "'\\u0001\\u0001\\u0001\\u0001'",
                15,
                "lists.range(2000).exists(i, timestamp(0).getHours(x15 + ':0') == 1)"),
            bound(
                "'aaaaaaaé'",
                14,
                "lists.range(9000).all(i, " + "x14 != 'a' && ".repeat(400) + "true)"),
            bound(
                "'aaaaaaaé'",
                14,
                "lists.range(9000).all(i, "
                    + "dyn(x14) != dyn(x13 + x13) || ".repeat(99)
                    + "true)"),
            bound(
                "'aaaaaaaé'",
                14,
                "lists.range(9000).all(i, " + "x14.size() > 1 && ".repeat(400) + "true)"),
            bound(
                "'aaaaaaaé'",
                14,
                "cel.bind(y, x13 + x13, cel.bind(m, {x14: 1}, lists.range(9000).all(i, "
                    + "m[y] == 1 && y in m && ".repeat(300)
                    + "true)))"),
            bound(
                "'0000000000'",
                9,
                "cel.bind(q, quantity('1' + x9), lists.range(9000).all(i, "
                    + "q.compareTo(quantity('1e5120')) != 0 && ".repeat(100)
                    + "true))"),
            bound(
                "'a.a.a.a.'",
                13,
                "cel.bind(v, semver('1.2.3-' + x13 + 'b'), lists.range(9000).all(i, "
                    + "v.compareTo(v) == 0 && ".repeat(200)
                    + "true))"),
            "cel.bind(d, 1e-310, lists.range(9000).all(i, "
                + "string(d) != '' && ".repeat(300)
                + "true))",
            "cel.bind(m, {1: 1}, cel.bind(d, 1e-310, lists.range(9000).exists(i, "
                + "m[d] == 1 || ".repeat(300)
                + "false)))",
            bound("[1]", 26, "[?dyn(x26)].size() == 0"),
            bound(
                "[1e-310]",
                26,
                "lists.range(9000).exists(i, " + "[?dyn(x26)] == [] || ".repeat(200) + "false)"),
            "'%.32767f%.32767f%.32767f%.32767f%.32767f%.32767f%.32767f'.format([1e300, 1e-300, 1e-310,"
                + " 1.5, 3.3, 1e99, 1e-99]) != ''",
            bound(
                "'a'",
                17,
                "lists.range(9).exists(i, format.dns1123Label().validate(x17).hasValue() && false)"),
            bound(
                "[timestamp('2020-01-01T00:00:00.123456789+01:00')]",
                17,
                "google.protobuf.ListValue{values: x17}.size() > 0"),
            "cel.bind(m, lists.range(20000).transformMapEntry(i, v, {string(i): duration('1.123456789s')}),"
                + " lists.range(30).all(i, google.protobuf.Struct{fields: m}.size() > 0))",
            bound(
                "b'\\n\\x02*\\x00'",
                15,
                "lists.range(400).all(i, "
                    + "google.protobuf.Any{type_url: 'x/google.protobuf.ListValue', value: x15} != 1 && "
                        .repeat(80)
                    + "true)"),
            bound(
                "'%FF%FF%FF%FF'",
                14,
                "cel.bind(u, url('/' + x14), cel.bind(c, device.capacity['d'], lists.range(9000).exists(i, "
                    + "dyn(u) in c || ".repeat(400)
                    + "false)))"),
            bound(
                "b'zzzzzzzz'",
                14,
                "cel.bind(z, x14, " + bound("[b'a']", 20, "([z] + x20).max() == b'')")),
            bound(
                "b'zzzzzzzz'",
                14,
                "cel.bind(z, x14, " + bound("[dyn(b'a'), dyn(z)]", 15, "x15.sort().size() == 1)")),
            "lists.range(12500).transformMapEntry(i, v, {ip('0:%x%x:0:%x%x::1'.format("
                + "[16 + v / 112, 16 + v % 112, 127 - v / 112, 127 - v % 112])): 1}).size() == 12500",
            "lists.range(15000).transformMapEntry(i, v, {timestamp('2020-01-01T00:00:00+01:00')"
                + " - duration(string(51 * v) + 's') + duration(string(v) + 'ns'): 1}).size() == 15000",
            "cel.bind(m, lists.range(9000).transformMapEntry(i, v, {i % 2 == 0 ? dyn(i * 4294967297)"
                + " : dyn(uint(i * 4294967297)): 1}), lists.range(9000).exists(i, "
                + "uint(4294967297 * 4000) in m && ".repeat(200)
                + "false))",
            "optional.of(1)" + ".optMap(a, a)".repeat(11) + ".hasValue()",
            "optional.of(1)" + ".optMap(a, a)".repeat(40) + ".hasValue()",
            ("optional.of(1)" + ".optMap(a, a)".repeat(8) + ".hasValue() && ").repeat(70)
                + "true"));
    all.put(
        "values in a loop",
        List.of(
            "lists.range(25000).map(i, [i, " + "1,".repeat(4_900) + "1]).size() > 0",
            "lists.range(25000).map(i, {i: 1, " + numbered("%d:1,", 1_500) + "-1:1}).size() > 0",
            "cel.bind(u, url('/?' + lists.range(9000).map(i, string(i)).join('&')),"
                + " lists.range(300).map(i, u.getQuery()).size() > 0)",
            bound("'aaaaaaaaaa'", 14, "lists.range(35).map(i, x14.findAll('.')).size() > 0"),
            bound("'aaaaaaaaaa'", 14, "lists.range(17).map(i, x14.split('')).size() > 0"),
            bound("[1]", 17, "lists.range(9000).map(i, [x17].flatten()).size() > 0"),
            bound("[1]", 17, "lists.range(9000).map(i, cel.bind(g, [], g + x17)).size() > 0"),
            bound("['a']", 16, "lists.range(9000).map(i, dyn(x16).sort()).size() > 0"),
            bound("'aaaaaaaaaa'", 14, "lists.range(9000).map(i, dyn(x14) + dyn('b')).size() > 0"),
            bound("[optional.of(1)]", 17, "lists.range(9000).map(i, x17.unwrapOpt()).size() > 0"),
            bound(
                "'0000000000'",
                9,
                "cel.bind(q, quantity('1' + x9), lists.range(2000).map(i, ["
                    + "q.add(q), ".repeat(200)
                    + "q]).size() > 0)"),
            bound(
                "'a.a.a.a.'",
                14,
                "[" + "semver('1.2.3-' + x14 + 'b'), ".repeat(35) + "1].size() > 0"),
            bound(
                "'aaaaaaaaaa'",
                14,
                "cel.bind(u, url('/' + x14), lists.range(9000).map(i,"
                    + " google.protobuf.StringValue{value: dyn(u)}).size() > 0)")));
    all.put(
        "nesting",
        List.of(
            "(".repeat(5_000) + "true" + ")".repeat(5_000),
            "!".repeat(9_000) + "true",
            "[".repeat(5_000) + "]".repeat(5_000) + ".size() > 0",
            "true ? ".repeat(1_200) + "true" + " : true".repeat(200),
            "{1:".repeat(200) + "1" + "}".repeat(200) + ".size() > 0",
            "cel.bind(x, 1, ".repeat(240) + "true" + ")".repeat(240),
            "[1].exists(x, ".repeat(30) + "true" + ")".repeat(30),
            "[1].map(x, ".repeat(24) + "1" + ")".repeat(24) + ".size() > 0",
            "-".repeat(9_000) + "1 == 1",
            "a" + ".b".repeat(5_000),
            "device" + ".attributes['d']".repeat(500)));
    all.put(
        "width",
        List.of(
            repeated("device.attributes['d'].a%d == 1 || ", "true"),
            repeated("device.attributes['dom%d.example.com'].a == 1 || ", "true"),
            "[" + "1,".repeat(5_000) + "1].all(x, [" + "2].all(y, y > x))",
            "{" + numbered("%d:1,", 1_500) + "-1:1}.all(k, k >= -1)",
            "[" + "'" + "x".repeat(20) + "',".repeat(400) + "''].distinct().size() > 0",
            repeated("device.attributes['d'].list%d.exists(x, x == 1) || ", "true"),
            repeated("has(device.attributes['d'].x%d) || ", "true")));
    all.put(
        "the device",
        List.of(
            "device.attributes['d'].list.all(x, device.attributes['d'].list.all(y, device.attributes['d'].list.all(z, x + y + z > -1)))",
            "device.attributes.all(d, device.attributes[d].all(n, n.size() > 0))",
            "lists.range(900).all(i, device.attributes == device.attributes)",
            "device.attributes['d'].list.map(x, device).size() > 0"));
    return all;
  }

  /** Returns an expression with some characters changed. */
  static String mutant(List<String> expressions, Random random) {
    StringBuilder text = new StringBuilder(expressions.get(random.nextInt(expressions.size())));
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.deleteCharAt(at);
        case 1 -> text.insert(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        case 2 -> text.setCharAt(at, ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        default -> {
          int end = Math.min(text.length(), at + random.nextInt(200));
          text.insert(random.nextInt(text.length()), text.substring(at, end));
        }
      }
      if (text.isEmpty()) {
        text.append('1');
      }
    }
    return text.substring(0, Math.min(MAX, text.length()));
  }

  private static final String ALPHABET = "()[]{}.,'\"\\+-*/%<>=!&|?: \n0123456789aex_@$";

  /** Returns devices from a plain one to one that is as large as the API allows, and larger. */
  static List<Device> devices() {
    Device.Builder wide = Device.named("wide");
    for (int i = 0; i < 32; i++) {
      wide.attribute("a" + i, "v".repeat(64));
    }
    List<Long> numbers = new ArrayList<>();
    for (long i = 0; i < 2_000; i++) {
      numbers.add(i);
    }
    return List.of(
        Device.named("plain").attribute("a", 1).capacity("n", "10Gi").build(),
        wide.build(),
        Device.named("long").attribute("list", new DeviceAttribute.IntValues(numbers)).build());
  }

  /** A condition many times, with a number each, as long as there is room. */
  private static String repeated(String condition, String end) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() + condition.length() + end.length() + 8 < MAX; i++) {
      text.append(
          condition.contains("%d") || condition.contains("%%")
              ? condition.formatted(i)
              : condition);
    }
    return text.append(end).toString();
  }

  private static String numbered(String part, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count && text.length() < MAX - 100; i++) {
      text.append(part.formatted(i));
    }
    return text.toString();
  }

  private static String loops(int depth, int rounds, String inside) {
    String text = inside;
    for (int i = depth - 1; i >= 0; i--) {
      text = "lists.range(%d).all(x%d, %s)".formatted(rounds, i, text);
    }
    return text;
  }

  private static String doubling(String value, int times) {
    return "cel.bind(x0, %s, ".formatted(value)
        + doublings(times)
        + "x%d.size() > 0".formatted(times)
        + ")".repeat(times + 1);
  }

  /** Binds x0 to a value, and each next variable to the one before twice. */
  private static String bound(String value, int times, String inside) {
    return "cel.bind(x0, %s, ".formatted(value) + doublings(times) + inside + ")".repeat(times + 1);
  }

  private static String doublings(int times) {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= times; i++) {
      text.append("cel.bind(x%d, x%d + x%d, ".formatted(i, i - 1, i - 1));
    }
    return text.toString();
  }
}
