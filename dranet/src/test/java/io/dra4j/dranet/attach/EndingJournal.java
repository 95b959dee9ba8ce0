package io.dra4j.dranet.attach;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.util.List;

/** A journal with which the process ends before a chosen step, as if it were killed. */
final class EndingJournal implements Journal {

  /** The process is killed: nothing of it runs any more. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private final MemoryJournal kept;
  private final int steps;

  EndingJournal(MemoryJournal kept, int steps) {
    this.kept = kept;
    this.steps = steps;
  }

  @Override
  public void record(List<Step> more) throws DriverException {
    kept.record(more);
  }

  @Override
  public void beginning(Step step) {
    if (kept.begun().size() == steps) {
      throw new Killed();
    }
    kept.beginning(step);
  }

  @Override
  public List<Step> steps() {
    return kept.steps();
  }

  @Override
  public void keep(int count) throws DriverException {
    kept.keep(count);
  }
}
