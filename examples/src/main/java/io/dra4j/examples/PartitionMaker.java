package io.dra4j.examples;

import io.dra4j.spi.ClaimedDevice;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceNode;
import io.dra4j.spi.DriverException;
import io.dra4j.spi.Journal;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.Step;
import java.util.ArrayList;
import java.util.List;

/** Creates the partitions of a claim when it is prepared, and removes them afterwards. */
public final class PartitionMaker {

  /** The management library of the vendor. */
  public interface Gpus {

    /**
     * Creates a partition, or returns it if it exists.
     *
     * @param label a name for it, which the library keeps
     * @param device the published name of the partition
     * @return the device file
     * @throws DriverException if the GPU refuses
     */
    DeviceNode make(String label, String device) throws DriverException;

    /**
     * Removes a partition; does nothing if there is none with that label.
     *
     * @param label its name
     * @throws DriverException if it is in use
     */
    void remove(String label) throws DriverException;
  }

  /** The prefix of the data of a step: the number of its form. */
  private static final String FORM = "v1 ";

  private final Gpus gpus;

  /**
   * Creates a helper for one driver.
   *
   * @param gpus creates and removes partitions
   */
  public PartitionMaker(Gpus gpus) {
    this.gpus = gpus;
  }

  /**
   * Creates the partitions; for {@code PreparingDriver.prepare}.
   *
   * @param claim the claim
   * @param journal receives a step for each partition
   * @return the partitions
   * @throws DriverException if one cannot be created
   */
  public Prepared prepare(ClaimedDevices claim, Journal journal) throws DriverException {
    // README: begin
    List<PreparedDevice> prepared = new ArrayList<>();
    for (ClaimedDevice device : claim.devices()) {
      String label = claim.claim().uid() + "/" + device.name();
      // On disk before the partition is created.
      journal.record(new Step("make partition " + label, FORM + label));
      DeviceNode node = gpus.make(label, device.name());
      prepared.add(PreparedDevice.of(device, ContainerEdits.ofNodes(List.of(node)), ""));
    }
    return new Prepared(prepared);
    // README: end
  }

  /**
   * Removes a partition; for {@code PreparingDriver.undo}.
   *
   * @param step a step of {@link #prepare}, done or not
   * @throws DriverException if the partition cannot be removed now
   */
  public void undo(Step step) throws DriverException {
    if (!step.undo().startsWith(FORM)) {
      throw DriverException.failed("a later release stored '" + step.undo() + "'", null);
    }
    gpus.remove(step.undo().substring(FORM.length()));
  }
}
