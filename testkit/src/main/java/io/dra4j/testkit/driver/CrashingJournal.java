package io.dra4j.testkit.driver;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.FileSetting;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * A journal that outlives the process that writes it, and ends that process at a chosen point.
 * Points are: before and after steps are written, before each step, before and after each step is
 * undone, before and after steps are forgotten.
 */
final class CrashingJournal implements Journal {

  private final List<Step> steps = new ArrayList<>();
  private int pointsLeft;
  private boolean isOfOtherBoot;

  /** Creates a journal that never ends the process. */
  CrashingJournal() {
    this(Integer.MAX_VALUE);
  }

  /** Creates a journal that ends the process at a point, from 1. */
  CrashingJournal(int point) {
    this.pointsLeft = point;
  }

  /** Sets another point at which the next process is killed. */
  void crashAt(int point) {
    pointsLeft = point;
  }

  void neverCrash() {
    crashAt(Integer.MAX_VALUE);
  }

  /** Simulates a reboot before the next process. */
  void reboot() {
    steps.forEach(FileSetting::forget); // as a new process, which has no such state
    isOfOtherBoot = true;
  }

  @Override
  public boolean isOfOtherBoot() {
    return isOfOtherBoot;
  }

  private void point() {
    pointsLeft--;
    if (pointsLeft == 0) {
      throw new Crash();
    }
  }

  @Override
  public void record(List<Step> more) {
    point();
    steps.addAll(more);
    point();
  }

  @Override
  public void beginning(Step step) {
    point();
  }

  @Override
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  @Override
  public void keep(int count) {
    point();
    steps.subList(count, steps.size()).clear();
    point();
  }

  @Override
  public void undo(Undo undo) throws DriverException {
    Journal.super.undo(
        step -> {
          point();
          undo.undo(step);
          point();
        });
  }
}
