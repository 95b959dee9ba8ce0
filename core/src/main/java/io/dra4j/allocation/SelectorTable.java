package io.dra4j.allocation;

import io.dra4j.model.CompiledSelector;
import io.dra4j.model.SelectorException;

/**
 * What a selector says of each device of the inventory, filled where it is asked for. A device on
 * which the selector fails is asked again each time. Two threads may fill the same place; both
 * write the same answer.
 */
final class SelectorTable {

  private static final byte NO = 1;
  private static final byte YES = 2;

  private final CompiledSelector selector;
  private final byte[][] bySlice; // 0 while not asked for

  SelectorTable(CompiledSelector selector, int slices) {
    this.selector = selector;
    this.bySlice = new byte[slices][];
  }

  boolean matches(Candidate candidate) throws SelectorException {
    int slice = candidate.published.index;
    byte[] row = bySlice[slice];
    if (row == null) {
      row = new byte[candidate.published.slice.devices().size()];
      bySlice[slice] = row;
    }
    byte known = row[candidate.position];
    if (known == 0) {
      known = selector.matches(candidate.id.driver(), candidate.device) ? YES : NO;
      row[candidate.position] = known;
    }
    return known == YES;
  }
}
