package io.dra4j.cel.internal.text;

import static io.dra4j.cel.internal.text.RegexProgram.OPERATION;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether an expression is found in a text, by a deterministic automaton whose states are made when
 * a text leads to them (Thompson 1968; Cox, Regular Expression Matching in the Wild, 2010).
 * Characters that no class and no assertion distinguishes are one symbol.
 *
 * <p>Thread-safe: the steps that are known are read without a lock, new ones are made with it.
 */
final class RegexAutomaton {

  /** Of instructions, because making a state looks at all that it is at. */
  private static final int MAX_PROGRAM = 2_000;

  private static final int MAX_SYMBOLS = 512;

  /** How many numbers all states may keep, at 4 to 8 bytes each. */
  private static final int MAX_WEIGHT = 4_096;

  /** The number of restarts after which the states are expected not to repeat. */
  private static final int MAX_RESTARTS = 100;

  private static final int ASCII = 128;

  /** What is known of a match. */
  private enum Verdict {
    OPEN,
    FOUND,
    NEVER
  }

  /** What a search is at between two characters. */
  private static final class State implements Comparable<State> {

    private static final State FOUND = new State(new int[0], 0, 0, Verdict.FOUND);
    private static final State NEVER = new State(new int[0], 0, 0, Verdict.NEVER);

    private final int[] places; // before assertions are looked at
    private final int before;
    private final @Nullable State[] next;

    private final Verdict verdict;

    State(int[] places, int before, int symbols) {
      this(places, before, symbols, Verdict.OPEN);
    }

    private State(int[] places, int before, int symbols, Verdict verdict) {
      this.verdict = verdict;
      this.places = places;
      this.before = before;
      this.next = new State[symbols];
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof State state
          && before == state.before
          && Arrays.equals(places, state.places);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(places) + before;
    }

    @Override
    public int compareTo(State other) {
      int order = Integer.compare(before, other.before);
      return order != 0 ? order : Arrays.compare(places, other.places);
    }
  }

  private final RegexProgram program;
  private final int[] firsts; // of each symbol but the end
  private final short[] ascii = new short[ASCII];
  private final RegexThreads from;
  private final Map<State, State> states = new HashMap<>();
  private int weight;
  private int restarts;
  private long steps;
  private volatile State start;

  private RegexAutomaton(RegexProgram program, int[] firsts) {
    this.program = program;
    this.firsts = firsts;
    for (int c = 0; c < ASCII; c++) {
      ascii[c] = (short) symbolOf(c);
    }
    this.from = new RegexThreads(program);
    this.start = known(new int[] {0}, RegexProgram.EDGE);
  }

  /** Makes one, or returns null if it would be too large to pay. */
  static @Nullable RegexAutomaton of(RegexProgram program) {
    if (program.code().length > MAX_PROGRAM) {
      return null;
    }
    Set<Integer> firsts = new TreeSet<>();
    firsts.add(0);
    for (CharClass set : program.classes()) {
      if (!addFirsts(set, firsts)) {
        return null;
      }
    }
    if (program.asserts()) {
      addFirsts(CharClass.NEWLINE, firsts);
      addFirsts(CharClass.WORD, firsts);
    }
    return new RegexAutomaton(program, firsts.stream().mapToInt(first -> first).toArray());
  }

  private static boolean addFirsts(CharClass set, Set<Integer> firsts) {
    int[] ranges = set.ranges();
    for (int i = 0; i < ranges.length; i += 2) {
      firsts.add(ranges[i]);
      if (ranges[i + 1] < CharClass.MAX_CHAR) {
        firsts.add(ranges[i + 1] + 1);
      }
      if (firsts.size() > MAX_SYMBOLS) {
        return false;
      }
    }
    return true;
  }

  /** How many bytes it takes at most, about. */
  int weight() {
    return 8 * MAX_WEIGHT;
  }

  /** Returns whether its states come again often enough. */
  boolean pays() {
    return restarts < MAX_RESTARTS;
  }

  boolean isFoundIn(String text, TimeCheck check) {
    State state = start;
    for (int i = 0; i < text.length(); ) {
      int c = text.charAt(i++);
      int symbol;
      if (c < ASCII) {
        symbol = ascii[c];
      } else {
        if (Character.isHighSurrogate((char) c) && i < text.length()) {
          c = text.codePointAt(i - 1);
          i += Character.charCount(c) - 1;
        }
        symbol = symbolOf(GoText.character(c));
      }
      State next = state.next[symbol];
      if (next == null) {
        next = step(state, symbol, check);
      }
      if (next.verdict != Verdict.OPEN) {
        return next.verdict == Verdict.FOUND;
      }
      state = next;
    }
    State end = state.next[firsts.length];
    end = end == null ? step(state, firsts.length, check) : end;
    return end.verdict == Verdict.FOUND;
  }

  private int symbolOf(int c) {
    int at = Arrays.binarySearch(firsts, c);
    return at < 0 ? -at - 2 : at;
  }

  private synchronized State step(State state, int symbol, TimeCheck check) {
    State next = computed(state, symbol);
    steps += from.size() + 1;
    if (steps > TimeCheck.STEPS_PER_LOOK) {
      steps = 0;
      check.look();
    }
    state.next[symbol] = next;
    return next;
  }

  private State computed(State state, int symbol) {
    boolean atEnd = symbol == firsts.length;
    int c = atEnd ? -1 : firsts[symbol];
    int behind = RegexProgram.kind(c);
    from.clear();
    for (int place : state.places) {
      from.follow(place, 0, state.before, behind);
    }
    int[] places = new int[from.size() + 1];
    int size = 0;
    for (int i = 0; i < from.size(); i++) {
      int instruction = from.instruction(i);
      if ((instruction & OPERATION) == RegexProgram.MATCH) {
        return State.FOUND;
      } else if (!atEnd && program.takes(instruction, c)) {
        places[size++] = from.place(i) + 1;
      }
    }
    if (!program.isAnchored()) {
      places[size++] = 0; // a match may begin at every character
    }
    if (size == 0 || atEnd) {
      return State.NEVER;
    }
    places = Arrays.copyOf(places, size);
    Arrays.sort(places);
    return known(places, program.asserts() ? behind : RegexProgram.OTHER);
  }

  /** The state of these places; all others are forgotten when there are too many. */
  private State known(int[] places, int before) {
    State state = new State(places, before, firsts.length + 1);
    State known = states.get(state);
    if (known != null) {
      return known;
    }
    weight += places.length + firsts.length + 16;
    if (weight > MAX_WEIGHT && !states.isEmpty()) {
      restarts++;
      states.clear();
      weight = places.length + firsts.length + 16;
      start = new State(new int[] {0}, RegexProgram.EDGE, firsts.length + 1);
    }
    states.put(state, state);
    return state;
  }
}
