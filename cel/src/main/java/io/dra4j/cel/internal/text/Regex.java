package io.dra4j.cel.internal.text;

import static io.dra4j.cel.internal.text.RegexProgram.OPERATION;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression as the package {@code regexp} of Go 1.26 reads and finds it: RE2's syntax
 * with the extensions of Perl, the leftmost match, and of those the one that Perl would prefer. A
 * search takes time in proportion to the length of the text times that of the expression.
 *
 * <p>Thread-safe.
 */
public final class Regex {

  private final RegexProgram program;
  private final @Nullable RegexAutomaton automaton;

  private Regex(RegexProgram program) {
    this.program = program;
    this.automaton = RegexAutomaton.of(program);
  }

  /**
   * {@return the compiled expression}
   *
   * @param expression the text; characters are code points
   * @param unicode which characters are letters, and of one script
   * @param check looked at while it is read, which may take about 100 ms for the largest
   * @throws RegexSyntaxException if it is none, nests more than 1,000 deep, becomes more than
   *     3,355,443 instructions, or has classes of more than a million different ranges together
   */
  public static Regex compile(String expression, Unicode unicode, TimeCheck check)
      throws RegexSyntaxException {
    return new Regex(RegexProgram.of(RegexParser.parse(expression, unicode, check), check));
  }

  /**
   * Reads an expression only to know whether it is one.
   *
   * @param expression the text
   * @param unicode which characters are letters, and of one script
   * @param check looked at while it is read
   * @throws RegexSyntaxException if {@link #compile} would throw it
   */
  public static void check(String expression, Unicode unicode, TimeCheck check)
      throws RegexSyntaxException {
    RegexParser.parse(expression, unicode, check);
  }

  /** {@return the approximate maximum memory of the expression, in bytes} */
  public int weight() {
    int weight = 200 + (4 * program.code().length);
    weight += automaton == null ? 0 : automaton.weight();
    for (CharClass set : program.classes()) {
      weight += 40 + (4 * set.ranges().length);
    }
    return weight;
  }

  /**
   * {@return whether the expression matches some part of a text}
   *
   * @param text the text
   * @param check checked from time to time
   */
  public boolean isFoundIn(String text, TimeCheck check) {
    RegexAutomaton quick = automaton;
    if (quick != null && quick.pays()) {
      return quick.isFoundIn(text, check);
    }
    return new Search(text, check).next(0, true);
  }

  /**
   * {@return the first match in a text as {@code Regexp.FindString} has it; empty if there is none}
   *
   * @param text the text
   * @param check checked from time to time
   */
  public String find(String text, TimeCheck check) {
    Search search = new Search(text, check);
    return search.next(0, false) ? text.substring(search.begin, search.end) : "";
  }

  /**
   * {@return all parts of a text that match and do not overlap, as {@code Regexp.FindAllString}
   * finds them: an empty one directly behind another does not count}
   *
   * @param text the text
   * @param limit how many are wanted at most; less than 0 means all
   * @param check checked from time to time
   */
  public ImmutableList<String> findAll(String text, long limit, TimeCheck check) {
    List<String> found = new ArrayList<>();
    Search search = new Search(text, check);
    int position = 0;
    int lastEnd = -1;
    while ((limit < 0 || found.size() < limit)
        && position <= text.length()
        && search.next(position, false)) {
      boolean counts = true;
      if (search.end == position) {
        counts = search.begin != lastEnd;
        position += position < text.length() ? Character.charCount(text.codePointAt(position)) : 1;
      } else {
        position = search.end;
      }
      lastEnd = search.end;
      if (counts) {
        found.add(text.substring(search.begin, search.end));
      }
    }
    return ImmutableList.copyOf(found);
  }

  /** A search of matches, one after the other, by threads in lockstep (Pike's method). */
  private final class Search {

    private final String text;
    private final TimeCheck check;
    private final RegexThreads arrived = new RegexThreads(program);
    private final RegexThreads going = new RegexThreads(program);
    private int begin;
    private int end;
    private long steps;

    Search(String text, TimeCheck check) {
      this.text = text;
      this.check = check;
    }

    /**
     * Looks for the next match from a place on, and returns whether there is one.
     *
     * @param any whether it does not matter which
     */
    boolean next(int from, boolean any) {
      boolean found = false;
      arrived.clear();
      int before = from == 0 ? -1 : text.codePointBefore(from);
      for (int position = from; ; ) {
        int c = position < text.length() ? text.codePointAt(position) : -1;
        int width = Character.charCount(Math.max(c, 0));
        c = GoText.character(c);
        int beforeKind = RegexProgram.kind(before);
        int behindKind = RegexProgram.kind(c);
        going.clear();
        for (int i = 0; i < arrived.size(); i++) {
          going.follow(arrived.place(i), arrived.begin(i), beforeKind, behindKind);
        }
        if (!found) {
          going.follow(0, position, beforeKind, behindKind);
        }
        found |= advance(position, c);
        if (c < 0
            || (any && found)
            || (arrived.size() == 0 && (found || (program.isAnchored() && position > 0)))) {
          return found;
        }
        before = c;
        position += width;
      }
    }

    /** Lets all threads take a character, until the first that has matched. */
    private boolean advance(int position, int c) {
      arrived.clear();
      steps += going.size() + 1 + program.code().length / 64;
      if (steps > TimeCheck.STEPS_PER_LOOK) {
        steps = 0;
        check.look();
      }
      for (int i = 0; i < going.size(); i++) {
        int instruction = going.instruction(i);
        if ((instruction & OPERATION) == RegexProgram.MATCH) {
          begin = going.begin(i);
          end = position;
          return true;
        } else if (c >= 0 && program.takes(instruction, c)) {
          arrived.add(going.place(i) + 1, going.begin(i));
        }
      }
      return false;
    }
  }
}
