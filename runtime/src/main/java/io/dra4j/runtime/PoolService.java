package io.dra4j.runtime;

import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.publish.DevicePool;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What drivers offer, and how their devices are: what is published in a cluster. Thread-safe. */
public interface PoolService {

  /**
   * Names the node that the drivers run on.
   *
   * @return the name of the node, which is the name of each driver's own pool
   */
  String node();

  /**
   * Names the drivers.
   *
   * @return the names, in the order in which the drivers were added
   */
  Set<String> drivers();

  /**
   * What a driver offers as of the last discovery.
   *
   * @param driver the name of the driver
   * @return its pools by name; empty if the driver has not discovered its devices yet
   * @throws IllegalArgumentException if there is no such driver
   */
  Map<String, DevicePool> pools(String driver);

  /**
   * The slices of all drivers as of the last discovery. Devices that a claim has stay among them
   * while it is prepared, also when they are in a pod and cannot be seen from the host. While it is
   * attached they have the attributes and capacities that they had when it was prepared, and the
   * taints that they have now.
   *
   * @return the slices, driver by driver
   */
  List<ResourceSlice> slices();

  /**
   * The health of devices as of the last time that the drivers were asked.
   *
   * @return what each driver said, by its name, each with the name of the pool and the time
   */
  Map<String, List<DeviceHealth>> deviceHealth();

  /**
   * Adds a listener, which hears of changes from now on.
   *
   * @param listener hears of changed slices
   */
  void addListener(SliceListener listener);

  /**
   * Adds a listener, which hears at once what each driver that has discovered its devices offers,
   * on the calling thread, and of changes from then on.
   *
   * @param listener hears of what drivers offer
   */
  void addPoolListener(PoolListener listener);

  /**
   * Takes a listener away. A call that runs already may end after this returns.
   *
   * @param listener a listener; one that was not added is nothing to do
   */
  void removePoolListener(PoolListener listener);

  /**
   * Adds a listener, which hears of the health of devices from now on.
   *
   * @param listener hears of health
   */
  void addHealthListener(HealthListener listener);

  /**
   * Takes a listener away. A call that runs already may end after this returns.
   *
   * @param listener a listener; one that was not added is nothing to do
   */
  void removeHealthListener(HealthListener listener);
}
