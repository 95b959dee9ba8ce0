package io.dra4j.netlink.state;

import io.dra4j.netlink.NetlinkException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The format of a stored {@link LinkState}: lines of text, each with a word and its value.
 *
 * <pre>
 * dra4j-link-state 1 LITTLE_ENDIAN
 * link 7 1763780000 eth0
 * value mtu=1500
 * other 8 eth1                            the name of another link, which messages name by index
 * address 02188000...                     the kernel's own message, in hexadecimal
 * end 6b1c2d3e                            CRC-32 of all lines above
 * </pre>
 *
 * <p>Each release reads the texts of every other one. A line with an unknown word, or a value with
 * an unknown name, is kept and written again; facts that a text lacks are not compared. New facts
 * get new words; the version number only shows which words are to be expected. Older releases wrote
 * each link on a link as lines from {@code upper} to {@code up}: they are kept, and become values.
 */
final class StateText {

  private static final String MAGIC = "dra4j-link-state ";
  private static final String VERSION = "1 ";
  private static final Pattern HEAD =
      Pattern.compile(MAGIC + "[1-9][0-9]{0,8} " + ByteOrder.nativeOrder());

  private static final String UPPER = "upper ";
  private static final String UP = "up";
  private static final String KIND = "value kind=";
  private static final int MAX_LENGTH = 64 << 20;
  private static final int END_LENGTH = "end 00000000\n".length();

  private final List<String> lines;
  private int next;

  private StateText(List<String> lines) {
    this.lines = lines;
  }

  static String write(LinkState state) {
    StringBuilder text = new StringBuilder(MAGIC).append(VERSION);
    text.append(ByteOrder.nativeOrder()).append('\n');
    text.append("link ").append(state.index()).append(' ').append(state.takenAt());
    text.append(' ').append(escaped(state.name())).append('\n');
    for (Map.Entry<String, String> one : state.values().entrySet()) {
      text.append("value ").append(escaped(one.getKey()).replace("=", "\\e"));
      text.append('=').append(escaped(one.getValue())).append('\n');
    }
    for (Map.Entry<Integer, String> one : new TreeMap<>(state.others()).entrySet()) {
      text.append("other ").append(one.getKey()).append(' ');
      text.append(escaped(one.getValue())).append('\n');
    }
    for (FactKind<?> kind : FactKind.ALL) {
      for (FactKind.Fact<?> fact : state.facts(kind)) {
        text.append(kind.name())
            .append(' ')
            .append(HexFormat.of().formatHex(fact.message().array()));
        text.append('\n');
      }
    }
    state.unread().forEach(line -> text.append(line).append('\n'));
    if (text.length() > MAX_LENGTH - END_LENGTH) {
      throw new IllegalStateException(
          state + " takes " + text.length() + " characters to store, at most " + MAX_LENGTH);
    }
    String sum = checksum(text);
    return text.append("end ").append(sum).append('\n').toString();
  }

  /** Escapes line feeds in a name or a value, which would end the line. */
  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  private static String checksum(CharSequence text) {
    CRC32 crc = new CRC32();
    crc.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }

  static LinkState parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw invalid(1, "has " + text.length() + " characters, at most " + MAX_LENGTH);
    }
    String first = text.lines().findFirst().orElse("");
    if (!HEAD.matcher(first).matches()) {
      String shown = first.substring(0, Math.min(first.length(), 60));
      String expected = MAGIC + VERSION + ByteOrder.nativeOrder();
      throw invalid(1, "is '" + shown + "', expected '" + expected + "'");
    }
    int end = text.lastIndexOf("\nend ") + 1;
    List<String> lines = List.of(text.substring(0, end).split("\n", -1));
    if (end == 0 || !text.substring(end).equals("end " + checksum(text.substring(0, end)) + "\n")) {
      throw invalid(lines.size(), "is not an end line with the checksum of the lines above");
    }
    StateText reader = new StateText(lines.subList(0, lines.size() - 1));
    reader.next = 1;
    return reader.link();
  }

  private static IllegalArgumentException invalid(int line, String problem) {
    return new IllegalArgumentException("state of a link, line " + line + " " + problem);
  }

  private IllegalArgumentException invalid(String problem) {
    return invalid(next + 1, problem);
  }

  private LinkState link() {
    String[] words = (next < lines.size() ? lines.get(next) : "").split(" ", 4);
    if (words.length != 4 || !words[0].equals("link")) {
      throw invalid("is not 'link'");
    }
    int index = (int) number(words[1], Integer.MAX_VALUE);
    long takenAt = number(words[2], Long.MAX_VALUE);
    String name = text(words[3]);
    Map<String, String> values = new TreeMap<>();
    Map<Integer, String> others = new HashMap<>();
    Map<String, List<byte[]>> messages = new HashMap<>();
    List<String> unread = new ArrayList<>();
    String upper = ""; // a link on the link, of an older release
    int depth = 0;
    for (next++; next < lines.size(); next++) {
      String line = lines.get(next);
      if (line.startsWith(UPPER)) {
        upper = depth == 0 ? text(line.substring(line.lastIndexOf(' ') + 1)) : upper;
        depth++;
      }
      if (depth == 0) {
        line(line, values, others, messages, unread);
        continue;
      }
      if (depth == 1 && line.startsWith(KIND)) {
        values.put(ValueName.UPPER + upper, text(line.substring(KIND.length())));
      }
      unread.add(line);
      depth -= line.equals(UP) ? 1 : 0;
    }
    if (depth > 0) {
      throw invalid("is not 'up'");
    }
    Map<FactKind<?>, List<FactKind.Fact<?>>> facts = new HashMap<>();
    for (FactKind<?> kind : FactKind.ALL) {
      facts.put(kind, facts(kind, messages.getOrDefault(kind.name(), List.of())));
    }
    return new LinkState(takenAt, index, name, values, facts, others, unread);
  }

  private void line(
      String line,
      Map<String, String> values,
      Map<Integer, String> others,
      Map<String, List<byte[]>> messages,
      List<String> unread) {
    int space = line.indexOf(' ');
    String word = space < 0 ? line : line.substring(0, space);
    String rest = line.substring(space + 1);
    if (word.equals("value")) {
      int equals = rest.indexOf('=');
      if (equals < 1
          || values.put(text(rest.substring(0, equals)), text(rest.substring(equals + 1)))
              != null) {
        throw invalid("has no value, or repeats one");
      }
    } else if (word.equals("other")) {
      String[] words = rest.split(" ", 2);
      others.put((int) number(words[0], Integer.MAX_VALUE), text(words[words.length - 1]));
    } else if (FactKind.ALL.stream().anyMatch(kind -> kind.name().equals(word))) {
      messages.computeIfAbsent(word, name -> new ArrayList<>()).add(message(rest));
    } else {
      unread.add(line);
    }
  }

  private byte[] message(String hexadecimal) {
    try {
      return HexFormat.of().parseHex(hexadecimal);
    } catch (IllegalArgumentException e) {
      throw invalid("is not hexadecimal: " + e.getMessage());
    }
  }

  private List<FactKind.Fact<?>> facts(FactKind<?> kind, List<byte[]> messages) {
    try {
      return List.copyOf(kind.ofMessages(messages));
    } catch (NetlinkException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "state of a link: a message of kind " + kind.name() + ": " + e.getMessage(), e);
    }
  }

  private String text(String escaped) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '\\') {
        i++;
        char escape = i < escaped.length() ? escaped.charAt(i) : ' ';
        int at = "\\ne".indexOf(escape);
        if (at < 0) {
          throw invalid("has an unknown escape \\" + escape);
        }
        c = "\\\n=".charAt(at);
      }
      plain.append(c);
    }
    return plain.toString();
  }

  private long number(String word, long most) {
    if (word.matches("[1-9][0-9]{0,17}") && Long.parseLong(word) <= most) {
      return Long.parseLong(word);
    }
    throw invalid("has '" + word + "', expected a number from 1 to " + most);
  }
}
