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
import java.util.zip.CRC32;

/**
 * The form in which a {@link LinkState} is stored: lines of text, each a word and what it is about.
 *
 * <pre>
 * dra4j-link-state 1 LITTLE_ENDIAN
 * link 7 1763780000 eth0
 * value mtu=1500
 * other 8 eth1                            the name of another link, which messages name by index
 * address 02188000...                     the kernel's own message, in hexadecimal
 * upper 9 1763780000 eth0.100             a link on it; what follows is about that one
 * up                                      back to the one below
 * end 6b1c2d3e                            CRC-32 of all before
 * </pre>
 */
final class StateText {

  private static final String MAGIC = "dra4j-link-state 1 " + ByteOrder.nativeOrder();
  private static final int MAX_LENGTH = 64 << 20;
  private static final int END_LENGTH = "end 00000000\n".length();
  private static final int MAX_DEPTH = 8;
  private static final int MAX_MESSAGE = 0xffff;

  private final List<String> lines;
  private int next;

  private StateText(List<String> lines) {
    this.lines = lines;
  }

  static String write(LinkState state) {
    StringBuilder text = new StringBuilder(MAGIC).append('\n');
    write(state, "link", text);
    if (text.length() > MAX_LENGTH - END_LENGTH) {
      throw new IllegalStateException(
          state + " takes " + text.length() + " characters to store, at most " + MAX_LENGTH);
    }
    String sum = checksum(text);
    return text.append("end ").append(sum).append('\n').toString();
  }

  private static void write(LinkState state, String word, StringBuilder text) {
    text.append(word).append(' ').append(state.index()).append(' ').append(state.takenAt());
    text.append(' ').append(escaped(state.name())).append('\n');
    state
        .values()
        .forEach(
            (key, value) ->
                text.append("value ")
                    .append(escaped(key).replace("=", "\\e"))
                    .append('=')
                    .append(escaped(value))
                    .append('\n'));
    new TreeMap<>(state.others())
        .forEach(
            (index, name) ->
                text.append("other ").append(index).append(' ').append(escaped(name)).append('\n'));
    for (FactKind<?> kind : FactKind.ALL) {
      for (FactKind.Fact<?> fact : state.facts(kind)) {
        text.append(kind.name()).append(' ').append(HexFormat.of().formatHex(fact.message()));
        text.append('\n');
      }
    }
    for (LinkState upper : state.uppers()) {
      write(upper, "upper", text);
      text.append("up\n");
    }
  }

  /** A line feed in a name or a value may not end the line. */
  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        char escape = i < text.length() ? text.charAt(i) : ' ';
        switch (escape) {
          case '\\' -> plain.append('\\');
          case 'n' -> plain.append('\n');
          case 'e' -> plain.append('=');
          default -> throw new IllegalArgumentException("unknown escape \\" + escape);
        }
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
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
    if (!text.startsWith(MAGIC + "\n")) {
      String first = text.lines().findFirst().orElse("");
      String shown = first.substring(0, Math.min(first.length(), 60));
      throw invalid(1, "is '" + shown + "', expected '" + MAGIC + "'");
    }
    int end = text.lastIndexOf("\nend ") + 1;
    List<String> lines = List.of(text.substring(0, end).split("\n", -1));
    if (end == 0 || !text.substring(end).equals("end " + checksum(text.substring(0, end)) + "\n")) {
      throw invalid(lines.size(), "is not the end with the checksum of what is before");
    }
    StateText reader = new StateText(lines.subList(0, lines.size() - 1));
    reader.next = 1;
    LinkState state = reader.link("link", 1);
    if (reader.next != reader.lines.size()) {
      throw reader.invalid("is not about the link");
    }
    return state;
  }

  private static IllegalArgumentException invalid(int line, String problem) {
    return new IllegalArgumentException("state of a link, line " + line + " " + problem);
  }

  private IllegalArgumentException invalid(String problem) {
    return invalid(next + 1, problem);
  }

  private LinkState link(String word, int depth) {
    String line = next < lines.size() ? lines.get(next) : "";
    String[] words = line.split(" ", 4);
    if (words.length != 4 || !words[0].equals(word) || depth > MAX_DEPTH) {
      throw invalid("is no '" + word + "' of at most " + MAX_DEPTH + " on each other");
    }
    int index = (int) number(words[1], Integer.MAX_VALUE);
    long takenAt = number(words[2], Long.MAX_VALUE);
    String name = text(words[3]);
    next++;
    Map<String, String> values = new TreeMap<>();
    Map<Integer, String> others = new HashMap<>();
    Map<String, List<byte[]>> messages = new HashMap<>();
    while (next < lines.size()
        && !lines.get(next).equals("up")
        && !lines.get(next).startsWith("upper ")) {
      fact(lines.get(next), values, others, messages);
      next++;
    }
    Map<FactKind<?>, List<FactKind.Fact<?>>> facts = new HashMap<>();
    for (FactKind<?> kind : FactKind.ALL) {
      facts.put(kind, facts(kind, messages.getOrDefault(kind.name(), List.of())));
    }
    List<LinkState> uppers = new ArrayList<>();
    while (next < lines.size() && lines.get(next).startsWith("upper ")) {
      uppers.add(link("upper", depth + 1));
      if (next >= lines.size() || !lines.get(next).equals("up")) {
        throw invalid("is not 'up'");
      }
      next++;
    }
    return new LinkState(takenAt, index, name, values, facts, others, uppers);
  }

  private void fact(
      String line,
      Map<String, String> values,
      Map<Integer, String> others,
      Map<String, List<byte[]>> messages) {
    int space = line.indexOf(' ');
    String word = space < 0 ? line : line.substring(0, space);
    String rest = line.substring(space + 1);
    if (word.equals("value")) {
      int equals = rest.indexOf('=');
      if (equals < 1
          || values.put(text(rest.substring(0, equals)), text(rest.substring(equals + 1)))
              != null) {
        throw invalid("has no value, or one that was there");
      }
    } else if (word.equals("other")) {
      String[] words = rest.split(" ", 2);
      others.put((int) number(words[0], Integer.MAX_VALUE), text(words[words.length - 1]));
    } else if (FactKind.ALL.stream().anyMatch(kind -> kind.name().equals(word))) {
      try {
        byte[] message = HexFormat.of().parseHex(rest);
        if (message.length > MAX_MESSAGE) {
          throw invalid("has " + message.length + " bytes, at most " + MAX_MESSAGE);
        }
        messages.computeIfAbsent(word, name -> new ArrayList<>()).add(message);
      } catch (IllegalArgumentException e) {
        throw invalid("is not hexadecimal: " + e.getMessage());
      }
    } else {
      throw invalid("begins with '" + word.substring(0, Math.min(word.length(), 20)) + "'");
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
    try {
      return plain(escaped);
    } catch (IllegalArgumentException e) {
      throw invalid("has an " + e.getMessage());
    }
  }

  private long number(String word, long most) {
    try {
      long number = Long.parseLong(word);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw invalid("has '" + word + "', expected a number from 1 to " + most);
  }
}
