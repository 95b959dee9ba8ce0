package io.dra4j.dranet.attach;

import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.util.ArrayList;
import java.util.List;

/** A journal that lives as long as the test; it counts its writes. */
public final class MemoryJournal implements Journal {

  private final List<Step> steps = new ArrayList<>();
  private final List<String> begun = new ArrayList<>();
  private int writes;

  @Override
  public void record(List<Step> more) {
    writes++;
    steps.addAll(more);
  }

  @Override
  public void beginning(Step step) {
    begun.add(step.name());
  }

  @Override
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  @Override
  public void keep(int count) {
    writes++;
    steps.subList(count, steps.size()).clear();
  }

  public int writes() {
    return writes;
  }

  public List<String> begun() {
    return List.copyOf(begun);
  }
}
