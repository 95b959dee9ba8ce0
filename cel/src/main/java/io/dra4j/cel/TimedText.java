package io.dra4j.cel;

/** A long text whose reader is stopped when the time of the evaluation is over. */
final class TimedText implements CharSequence {

  private static final int READS_PER_LOOK = 1 << 14;

  private final String text;
  private final Frame frame;
  private int reads;

  TimedText(String text, Frame frame) {
    this.text = text;
    this.frame = frame;
  }

  @Override
  public char charAt(int index) {
    if (++reads % READS_PER_LOOK == 0) {
      frame.checkTime();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
