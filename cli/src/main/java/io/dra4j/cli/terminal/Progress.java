package io.dra4j.cli.terminal;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

/** Shows a person at a terminal the progress of slow work; silent in scripts. */
public final class Progress implements AutoCloseable {

  private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PrintWriter err;
  private final String what;
  private final int total;

  /** Whether standard error is a terminal, which the launcher checks, because Java cannot. */
  private final boolean visible = System.getenv("DRA4J_TERMINAL") != null;

  private long last = System.nanoTime();
  private int done;
  private boolean shown;

  public Progress(Terminal terminal, String what, int total) {
    this.err = terminal.err();
    this.what = what;
    this.total = total;
  }

  public void step() {
    done++;
    if (visible && System.nanoTime() - last > STEP_NANOS) {
      last = System.nanoTime();
      shown = true;
      err.print("\r" + what + " " + done + " of " + total);
      err.flush();
    }
  }

  /** Clears the line of progress. */
  @Override
  public void close() {
    if (shown) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
