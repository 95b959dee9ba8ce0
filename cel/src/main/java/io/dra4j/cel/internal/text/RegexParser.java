package io.dra4j.cel.internal.text;

import static io.dra4j.cel.internal.text.RegexNode.Repetition.UNLIMITED;

import io.dra4j.cel.internal.text.RegexNode.Alternation;
import io.dra4j.cel.internal.text.RegexNode.Assertion;
import io.dra4j.cel.internal.text.RegexNode.Chars;
import io.dra4j.cel.internal.text.RegexNode.Group;
import io.dra4j.cel.internal.text.RegexNode.Repetition;
import io.dra4j.cel.internal.text.RegexNode.Sequence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads regular expressions of RE2 with the extensions of Perl that Go takes ({@code syntax.Perl}).
 *
 * <p>Source: the documentation and behaviour of the package {@code regexp/syntax} of Go 1.26, its
 * limits and messages included.
 */
final class RegexParser {

  private static final int MAX_COUNT = 1_000;
  private static final int MAX_HEIGHT = 1_000;
  private static final long MAX_SIZE = (128 << 20) / 40;

  /** Ranges of all classes, each counted once. Go allows 16 million, which would take 128 MB. */
  private static final int MAX_RANGES = 1 << 20;

  /** How long it takes to look for the other cases of a character. */
  private static final int STEPS_PER_CASE = 2;

  private static final int FOLD = 1;
  private static final int MULTILINE = 1 << 1;
  private static final int DOT_NEWLINE = 1 << 2;
  private static final int UNGREEDY = 1 << 3;

  private static final Map<String, CharClass> NAMED =
      Map.ofEntries(
          Map.entry("alnum", CharClass.of('0', '9', 'A', 'Z', 'a', 'z')),
          Map.entry("alpha", CharClass.of('A', 'Z', 'a', 'z')),
          Map.entry("ascii", CharClass.range(0, 0x7f)),
          Map.entry("blank", CharClass.of('\t', '\t', ' ', ' ')),
          Map.entry("cntrl", CharClass.of(0, 0x1f, 0x7f, 0x7f)),
          Map.entry("digit", CharClass.DIGIT),
          Map.entry("graph", CharClass.range('!', '~')),
          Map.entry("lower", CharClass.range('a', 'z')),
          Map.entry("print", CharClass.range(' ', '~')),
          Map.entry("punct", CharClass.of('!', '/', ':', '@', '[', '`', '{', '~')),
          Map.entry("space", CharClass.of('\t', '\r', ' ', ' ')),
          Map.entry("upper", CharClass.range('A', 'Z')),
          Map.entry("word", CharClass.WORD),
          Map.entry("xdigit", CharClass.of('0', '9', 'A', 'F', 'a', 'f')));

  private final String pattern;
  private final Unicode unicode;
  private final TimeCheck check;
  private final Map<CharClass, CharClass> classes = new HashMap<>();
  private final Deque<Open> groups = new ArrayDeque<>();
  private Open open = new Open(0, false);
  private int position;
  private int flags;
  private int ranges;
  private long steps;

  /** A group whose end has not come. */
  private static final class Open {

    private final int outerFlags;
    private final boolean captures;
    private final List<RegexNode> alternatives = new ArrayList<>();
    private List<RegexNode> parts = new ArrayList<>();

    /** Of the last alternatives, if several single characters stand there, one of which is kept. */
    private CharClass.@Nullable Builder union;

    Open(int outerFlags, boolean captures) {
      this.outerFlags = outerFlags;
      this.captures = captures;
    }
  }

  private RegexParser(String pattern, Unicode unicode, TimeCheck check) {
    this.pattern = pattern;
    this.unicode = unicode;
    this.check = check;
  }

  /** Reads an expression; throws {@code RegexSyntaxException} if it is none or too large for Go. */
  static RegexNode parse(String pattern, Unicode unicode, TimeCheck check)
      throws RegexSyntaxException {
    return new RegexParser(pattern, unicode, check).parse();
  }

  private RegexNode parse() throws RegexSyntaxException {
    int repetition = -1; // where the part before began, if it is a repetition
    while (!atEnd()) {
      step(1);
      int begin = position;
      boolean repeats =
          switch (pattern.charAt(position)) {
            case '*', '+', '?' -> repeatSimply(repetition);
            case '{' -> repeatCounted(repetition);
            default -> {
              other();
              yield false;
            }
          };
      repetition = repeats ? begin : -1;
    }
    RegexNode whole = closeAlternatives();
    if (!groups.isEmpty()) {
      throw problem("missing closing )", pattern);
    }
    return whole;
  }

  private void other() throws RegexSyntaxException {
    switch (pattern.charAt(position)) {
      case '(' -> openGroup();
      case '|' -> {
        position++;
        closeSequence();
      }
      case ')' -> closeGroup();
      case '^' -> {
        position++;
        add(has(MULTILINE) ? Assertion.BEGIN_LINE : Assertion.BEGIN_TEXT);
      }
      case '$' -> {
        position++;
        add(has(MULTILINE) ? Assertion.END_LINE : Assertion.END_TEXT);
      }
      case '.' -> {
        position++;
        addClass(has(DOT_NEWLINE) ? CharClass.ANY : CharClass.NOT_NEWLINE);
      }
      case '[' -> addClass(bracket());
      case '\\' -> backslash();
      default -> literal(next());
    }
  }

  // ---- Characters ----

  private boolean atEnd() {
    return position >= pattern.length();
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }

  private boolean isNext(char c) {
    return !atEnd() && pattern.charAt(position) == c;
  }

  private int next() throws RegexSyntaxException {
    int c = pattern.codePointAt(position);
    if (GoText.isByteAlone(c)) {
      throw problem("invalid UTF-8", pattern.substring(position));
    }
    position += Character.charCount(c);
    return c;
  }

  private static void checkUtf8(String part) throws RegexSyntaxException {
    int bad = GoText.firstByteAlone(part);
    if (bad >= 0) {
      throw problem("invalid UTF-8", part.substring(bad));
    }
  }

  private String since(int begin) {
    return pattern.substring(begin, position);
  }

  private static RegexSyntaxException problem(String what, String part) {
    return new RegexSyntaxException(what, part);
  }

  private void step(int count) {
    steps += count;
    if (steps >= TimeCheck.STEPS_PER_LOOK) {
      steps = 0;
      check.look();
    }
  }

  // ---- Parts ----

  private void add(RegexNode part) throws RegexSyntaxException {
    open.parts.add(checked(part));
  }

  private RegexNode checked(RegexNode part) throws RegexSyntaxException {
    if (part.size() > MAX_SIZE) {
      throw problem("expression too large", pattern);
    } else if (part.height() > MAX_HEIGHT) {
      throw problem("expression nests too deeply", pattern);
    }
    return part;
  }

  private void literal(int c) throws RegexSyntaxException {
    CharClass set = CharClass.range(c, c);
    boolean folds = has(FOLD);
    add(
        new Chars(
            known(folds ? set.folded(unicode) : set),
            folds ? Chars.Kind.FOLDED_LITERAL : Chars.Kind.LITERAL));
  }

  private void addClass(CharClass set) throws RegexSyntaxException {
    Chars.Kind kind = Chars.Kind.CLASS;
    if (set.isSingle()) {
      kind = Chars.Kind.LITERAL;
    } else if (set.size() == 2
        && CharClass.range(set.first(), set.first()).folded(unicode).equals(set)) {
      kind = Chars.Kind.FOLDED_LITERAL; // such as [Aa]
    }
    add(new Chars(known(set), kind));
  }

  /** Equal classes are kept once. */
  private CharClass known(CharClass set) throws RegexSyntaxException {
    CharClass before = classes.putIfAbsent(set, set);
    if (before != null) {
      return before;
    }
    ranges += set.ranges().length / 2;
    if (ranges > MAX_RANGES) {
      throw problem("expression too large", pattern);
    }
    return set;
  }

  private void closeSequence() throws RegexSyntaxException {
    RegexNode sequence = checked(Sequence.of(open.parts));
    open.parts = new ArrayList<>();
    int last = open.alternatives.size() - 1;
    if (last >= 0
        && sequence instanceof Chars chars
        && open.alternatives.get(last) instanceof Chars before) {
      CharClass.Builder union = open.union;
      if (union == null) {
        union = new CharClass.Builder().add(before.set());
        open.union = union;
      }
      union.add(chars.set());
      step(chars.set().ranges().length);
    } else {
      closeUnion();
      open.alternatives.add(sequence);
    }
  }

  /** Alternatives of single characters are a class. */
  private void closeUnion() throws RegexSyntaxException {
    CharClass.Builder union = open.union;
    if (union != null) {
      CharClass set = union.build();
      step(set.ranges().length);
      open.alternatives.set(open.alternatives.size() - 1, new Chars(known(set), Chars.Kind.CLASS));
      open.union = null;
    }
  }

  private RegexNode closeAlternatives() throws RegexSyntaxException {
    closeSequence();
    closeUnion();
    return checked(Alternation.of(open.alternatives));
  }

  // ---- Groups ----

  private void closeGroup() throws RegexSyntaxException {
    RegexNode part = closeAlternatives();
    Open closed = open;
    if (groups.isEmpty()) {
      throw problem("unexpected )", pattern);
    }
    position++;
    open = groups.pop();
    flags = closed.outerFlags;
    add(closed.captures ? Group.of(part) : part);
  }

  private void push(boolean captures) {
    groups.push(open);
    open = new Open(flags, captures);
  }

  private void openGroup() throws RegexSyntaxException {
    int begin = position;
    int name =
        pattern.startsWith("(?P<", begin) && pattern.length() - begin > 4
            ? begin + 4
            : pattern.startsWith("(?<", begin) && pattern.length() - begin > 3 ? begin + 3 : -1;
    if (name >= 0) {
      openNamed(begin, name);
    } else if (pattern.startsWith("(?", begin)) {
      openWithFlags();
    } else {
      position++;
      push(true);
    }
  }

  private void openNamed(int begin, int name) throws RegexSyntaxException {
    int end = pattern.indexOf('>', begin);
    checkUtf8(end < 0 ? pattern.substring(begin) : pattern.substring(name, end));
    if (end < 0) {
      throw problem("invalid named capture", pattern.substring(begin));
    }
    position = end + 1;
    for (int i = name; i < end; i++) {
      char c = pattern.charAt(i);
      if (!CharClass.WORD.contains(c)) {
        throw problem("invalid named capture", since(begin));
      }
    }
    if (name == end) {
      throw problem("invalid named capture", since(begin));
    }
    push(true);
  }

  /** Reads <code>(?i)</code>, {@code (?i-s:} and the like. */
  private void openWithFlags() throws RegexSyntaxException {
    int begin = position;
    position += 2;
    int on = 0;
    int off = 0;
    boolean negative = false;
    boolean seen = false;
    while (!atEnd()) {
      int c = next();
      int flag = "imsU".indexOf(c);
      if (flag >= 0) {
        int bit = new int[] {FOLD, MULTILINE, DOT_NEWLINE, UNGREEDY}[flag];
        on = negative ? on & ~bit : on | bit;
        off = negative ? off | bit : off;
        seen = true;
      } else if (c == '-' && !negative) {
        negative = true;
        seen = false;
      } else if ((c == ':' || c == ')') && (!negative || seen)) {
        if (c == ':') {
          push(false);
        }
        flags = (flags | on) & ~off;
        return;
      } else {
        break;
      }
    }
    throw problem("invalid or unsupported Perl syntax", since(begin));
  }

  // ---- Repetitions ----

  private boolean repeatSimply(int repetition) throws RegexSyntaxException {
    int begin = position;
    char operator = pattern.charAt(position++);
    repeat(operator == '+' ? 1 : 0, operator == '?' ? 1 : UNLIMITED, false, begin, repetition);
    return true;
  }

  /** Returns whether it is a repetition, and not just a brace. */
  private boolean repeatCounted(int repetition) throws RegexSyntaxException {
    int begin = position++;
    int min = number();
    int max = min;
    if (min >= 0 && isNext(',')) {
      position++;
      max = isNext('}') ? UNLIMITED : number();
      min = max == NONE ? NONE : min;
    }
    if (min == NONE || !isNext('}')) {
      position = begin + 1;
      literal('{');
      return false;
    }
    position++;
    if (min > MAX_COUNT || max > MAX_COUNT || (max != UNLIMITED && min > max)) {
      throw problem("invalid repeat count", since(begin));
    }
    repeat(min, max, true, begin, repetition);
    return true;
  }

  private static final int NONE = -2;

  /** Reads a number without leading zeros; one that is too large is more than all that count. */
  private int number() {
    int begin = position;
    while (!atEnd() && CharClass.DIGIT.contains(pattern.charAt(position))) {
      position++;
    }
    int length = position - begin;
    if (length == 0 || (length > 1 && pattern.charAt(begin) == '0')) {
      return NONE;
    }
    return length > 8 ? Integer.MAX_VALUE : Integer.parseInt(pattern, begin, position, 10);
  }

  private void repeat(int min, int max, boolean counted, int begin, int repetition)
      throws RegexSyntaxException {
    boolean greedy = !has(UNGREEDY);
    if (isNext('?')) {
      position++;
      greedy = !greedy;
    }
    if (repetition >= 0) {
      throw problem("invalid nested repetition operator", since(repetition));
    }
    int last = open.parts.size() - 1;
    if (last < 0) {
      throw problem("missing argument to repetition operator", since(begin));
    }
    RegexNode part = Repetition.of(open.parts.get(last), min, max, greedy, counted);
    open.parts.set(last, checked(part));
    if (counted && (min >= 2 || max >= 2) && part.copies() > MAX_COUNT) {
      throw problem("invalid repeat count", since(begin));
    }
  }

  // ---- Escapes ----

  private void backslash() throws RegexSyntaxException {
    char c = position + 1 < pattern.length() ? pattern.charAt(position + 1) : 0;
    Assertion assertion =
        switch (c) {
          case 'A' -> Assertion.BEGIN_TEXT;
          case 'b' -> Assertion.WORD_BOUNDARY;
          case 'B' -> Assertion.NO_WORD_BOUNDARY;
          case 'z' -> Assertion.END_TEXT;
          default -> null;
        };
    if (assertion != null) {
      position += 2;
      add(assertion);
    } else if (c == 'C') {
      throw problem("invalid escape sequence", "\\C");
    } else if (c == 'Q') {
      position += 2;
      quoted();
    } else {
      CharClass set = classEscape();
      if (set != null) {
        addClass(set);
      } else {
        literal(escape());
      }
    }
  }

  private void quoted() throws RegexSyntaxException {
    int end = pattern.indexOf("\\E", position);
    int stop = end < 0 ? pattern.length() : end;
    while (position < stop) {
      step(1);
      literal(next());
    }
    position = end < 0 ? stop : end + 2;
  }

  /** Reads <code>\p{…}</code> or {@code \d} and the like, or returns null if there is none. */
  private @Nullable CharClass classEscape() throws RegexSyntaxException {
    if (!isNext('\\') || position + 1 >= pattern.length()) {
      return null;
    }
    char c = pattern.charAt(position + 1);
    CharClass set =
        switch (c) {
          case 'd', 'D' -> CharClass.DIGIT;
          case 's', 'S' -> CharClass.SPACE;
          case 'w', 'W' -> CharClass.WORD;
          case 'p', 'P' -> unicode();
          default -> null;
        };
    if (set == null || c == 'p' || c == 'P') {
      return set;
    }
    position += 2;
    CharClass cased = has(FOLD) ? set.folded(unicode) : set;
    return Character.isUpperCase(c) ? cased.negated() : cased;
  }

  private CharClass unicode() throws RegexSyntaxException {
    int begin = position;
    boolean negative = pattern.charAt(position + 1) == 'P';
    position += 2;
    String name = "";
    if (isNext('{')) {
      int end = pattern.indexOf('}', position);
      if (end < 0) {
        checkUtf8(pattern.substring(begin));
        throw problem("invalid character class range", pattern.substring(begin));
      }
      name = pattern.substring(position + 1, end);
      position = end + 1;
      checkUtf8(name);
    } else if (!atEnd()) {
      name = Character.toString(next());
    }
    boolean inverted = name.startsWith("^");
    name = inverted ? name.substring(1) : name;
    CharClass set = unicode.named(name);
    if (set == null) {
      throw problem("invalid character class range", since(begin));
    }
    step(set.ranges().length);
    set = has(FOLD) && !unicode.isNeverFolded(name) ? set.folded(unicode) : set;
    return negative != inverted ? set.negated() : set;
  }

  /** Reads an escape of one character. */
  private int escape() throws RegexSyntaxException {
    int begin = position++;
    if (atEnd()) {
      throw problem("trailing backslash at end of expression", "");
    }
    int c = next();
    int value =
        switch (c) {
          case '0', '1', '2', '3', '4', '5', '6', '7' -> octal(c);
          case 'x' -> hexadecimal();
          case 'a' -> 7;
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'v' -> 0x0b;
          default -> c < 0x80 && (c == '_' || !CharClass.WORD.contains(c)) ? c : NONE;
        };
    if (value == NONE) {
      throw problem("invalid escape sequence", since(begin));
    }
    return value;
  }

  private int octal(int first) {
    int value = first - '0';
    boolean more = isOctal();
    if (first != '0' && !more) {
      return NONE; // a reference to a group, which RE2 has not
    }
    for (int i = 1; i < 3 && isOctal(); i++) {
      value = value * 8 + pattern.charAt(position++) - '0';
    }
    return value;
  }

  private boolean isOctal() {
    return !atEnd() && pattern.charAt(position) >= '0' && pattern.charAt(position) <= '7';
  }

  private int hexadecimal() throws RegexSyntaxException {
    if (!isNext('{')) {
      int high = digit();
      int low = high == NONE && atEnd() ? NONE : digit();
      return high == NONE || low == NONE ? NONE : high * 16 + low;
    }
    position++;
    int value = 0;
    int begin = position;
    while (!atEnd()) {
      if (isNext('}')) {
        position++;
        return position - 1 > begin ? value : NONE;
      }
      int digit = digit();
      value = value * 16 + digit;
      if (digit == NONE || value > CharClass.MAX_CHAR) {
        return NONE;
      }
    }
    return NONE;
  }

  /** Reads one character, and returns its value as a hexadecimal digit. */
  private int digit() throws RegexSyntaxException {
    int c = atEnd() ? ' ' : next();
    int value = c < 0x80 ? Character.digit(c, 16) : -1;
    return value < 0 ? NONE : value;
  }

  // ---- Classes in brackets ----

  private CharClass bracket() throws RegexSyntaxException {
    int begin = position++;
    boolean negative = isNext('^');
    position += negative ? 1 : 0;
    CharClass.Builder members = new CharClass.Builder();
    for (boolean first = true; atEnd() || first || !isNext(']'); first = false) {
      step(1);
      CharClass set = namedClass();
      set = set != null ? set : classEscape();
      if (set != null) {
        step(set.ranges().length);
        members.add(set);
      } else {
        range(begin, members);
      }
    }
    position++;
    CharClass set = members.build();
    step(set.ranges().length);
    return negative ? set.negated() : set;
  }

  /** Reads {@code [:alnum:]} and the like, or returns null if there is none. */
  private @Nullable CharClass namedClass() throws RegexSyntaxException {
    int end = pattern.startsWith("[:", position) ? pattern.indexOf(":]", position + 2) : -1;
    if (end < 0) {
      return null;
    }
    int begin = position;
    boolean negative = pattern.charAt(position + 2) == '^';
    CharClass set = NAMED.get(pattern.substring(position + (negative ? 3 : 2), end));
    position = end + 2;
    if (set == null) {
      throw problem("invalid character class range", since(begin));
    }
    CharClass cased = has(FOLD) ? set.folded(unicode) : set;
    return negative ? cased.negated() : cased;
  }

  private void range(int bracket, CharClass.Builder members) throws RegexSyntaxException {
    int begin = position;
    int first = member(bracket);
    int last = first;
    if (isNext('-') && position + 1 < pattern.length() && pattern.charAt(position + 1) != ']') {
      position++;
      last = member(bracket);
      if (last < first) {
        throw problem("invalid character class range", since(begin));
      }
    }
    if (has(FOLD)) {
      step(STEPS_PER_CASE * unicode.countCased(first, last));
      members.add(CharClass.range(first, last).folded(unicode));
    } else {
      members.add(first, last);
    }
  }

  private int member(int bracket) throws RegexSyntaxException {
    if (atEnd()) {
      throw problem("missing closing ]", pattern.substring(bracket));
    }
    return isNext('\\') ? escape() : next();
  }
}
