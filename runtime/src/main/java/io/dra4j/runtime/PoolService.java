package io.dra4j.runtime;

import io.dra4j.model.ResourceSlice;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.publish.DevicePool;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The offers of the drivers and the health of their devices, for publishing. Thread-safe. */
public interface PoolService {

  /** {@return the name of the drivers' node, which is also the name of each driver's own pool} */
  String node();

  /** {@return the names of the drivers, in the order in which they were added} */
  Set<String> drivers();

  /**
   * {@return the pools of a driver by name as of the last discovery; empty before its first one}
   *
   * @param driver the name of the driver
   * @throws IllegalArgumentException if there is no such driver
   */
  Map<String, DevicePool> pools(String driver);

  /**
   * {@return the slices of all drivers as of the last discovery, driver by driver} While a claim is
   * prepared, its devices stay in the slices, even when they are in a pod and cannot be seen from
   * the host. While it is attached, they have the attributes and capacities from when it was
   * prepared, and their current taints.
   */
  List<ResourceSlice> slices();

  /**
   * {@return the health of devices as of the last health check, by the name of the driver, each
   * with the name of the pool and the time}
   */
  Map<String, List<DeviceHealth>> deviceHealth();

  /**
   * Adds a listener, which is notified of changes from now on.
   *
   * @param listener receives changed slices
   */
  void addListener(SliceListener listener);

  /**
   * Adds a listener. It is called immediately, on the calling thread, with the offer of each driver
   * that has discovered its devices, and then notified of changes.
   *
   * @param listener receives the offers of drivers
   */
  void addPoolListener(PoolListener listener);

  /**
   * Removes a listener. A running call of the listener may end after this method returns.
   *
   * @param listener a listener; nothing happens if it was not added
   */
  void removePoolListener(PoolListener listener);

  /**
   * Adds a listener, which is notified of the health of devices from now on.
   *
   * @param listener receives the health of devices
   */
  void addHealthListener(HealthListener listener);

  /**
   * Removes a listener. A running call of the listener may end after this method returns.
   *
   * @param listener a listener; nothing happens if it was not added
   */
  void removeHealthListener(HealthListener listener);
}
