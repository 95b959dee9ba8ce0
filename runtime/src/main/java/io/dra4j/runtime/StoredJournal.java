package io.dra4j.runtime;

import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Step;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal in the store. The record of the call is written together with its first steps. So a
 * call without steps writes nothing before its end, and a call whose steps are known in advance
 * waits for the disk only once. The creator of the journal removes forgotten steps from the disk at
 * the end of the call.
 */
final class StoredJournal implements Journal {

  /** Writes the record of the call, and its first steps. */
  interface First {
    void write(List<Step> steps) throws StoreException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(StoredJournal.class);

  private final ClaimStore store;
  private final ClaimStore.Key key;
  private final First first;
  private final List<Step> steps;
  private final boolean isOfOtherBoot;
  private boolean isWritten;
  private int written;

  /** Creates the journal of a call that begins now. */
  static StoredJournal begun(ClaimStore store, ClaimStore.Key key, First first) {
    return new StoredJournal(store, key, first, List.of(), false, false);
  }

  /** Creates a journal whose steps are in the store, possibly from before a reboot. */
  static StoredJournal found(
      ClaimStore store, ClaimStore.Key key, List<Step> steps, boolean isOfOtherBoot) {
    return new StoredJournal(store, key, more -> {}, steps, true, isOfOtherBoot);
  }

  private StoredJournal(
      ClaimStore store,
      ClaimStore.Key key,
      First first,
      List<Step> steps,
      boolean isWritten,
      boolean isOfOtherBoot) {
    this.store = store;
    this.key = key;
    this.first = first;
    this.steps = new ArrayList<>(steps);
    this.isWritten = isWritten;
    this.written = steps.size();
    this.isOfOtherBoot = isOfOtherBoot;
  }

  @Override
  public boolean isOfOtherBoot() {
    return isOfOtherBoot;
  }

  @Override
  public void record(List<Step> more) throws DriverException {
    try {
      if (isWritten) {
        flush();
        store.appendSteps(key, more);
      } else {
        first.write(more);
        isWritten = true;
      }
      steps.addAll(more);
      written = steps.size();
    } catch (StoreException e) {
      throw DriverException.failed(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void beginning(Step step) {
    LOG.atDebug()
        .addKeyValue("claim", key.uid())
        .addKeyValue("driver", key.driver())
        .addKeyValue("sandbox", key.sandbox())
        .log("{}", step.name());
  }

  @Override
  public List<Step> steps() {
    return List.copyOf(steps);
  }

  @Override
  public void keep(int count) {
    steps.subList(count, steps.size()).clear();
  }

  /** Whether the record of the call is in the store. */
  boolean isWritten() {
    return isWritten;
  }

  /** Removes forgotten steps from the disk. */
  void flush() throws StoreException {
    if (steps.size() < written) {
      store.keepSteps(key, steps.size());
      written = steps.size();
    }
  }

  void flushIfWritten() throws StoreException {
    if (isWritten) {
      flush();
    }
  }
}
