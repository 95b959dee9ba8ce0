package io.dra4j.examples;

import io.dra4j.model.CounterSet;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceCounterConsumption;
import io.dra4j.model.Quantity;
import io.dra4j.spi.ClaimedDevices;
import io.dra4j.spi.ContainerEdits;
import io.dra4j.spi.DeviceHealth;
import io.dra4j.spi.HostInventory;
import io.dra4j.spi.Journal;
import io.dra4j.spi.PciFunction;
import io.dra4j.spi.Prepared;
import io.dra4j.spi.PreparedDevice;
import io.dra4j.spi.PreparingDriver;
import io.dra4j.topology.DeviceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Offers each GPU as a whole and as two halves, and reports which of them work. */
public final class PartitionedGpuDriver implements PreparingDriver {

  @Override
  public String name() {
    return "gpu.example.com";
  }

  @Override
  public List<Device> discover(HostInventory host) {
    return gpus(host).stream().flatMap(gpu -> partitions(gpu).stream()).toList();
  }

  @Override
  public List<CounterSet> sharedCounters(HostInventory host) {
    return gpus(host).stream()
        .map(gpu -> new CounterSet(label(gpu), Map.of("slices", Quantity.of(8))))
        .toList();
  }

  @Override
  public List<DeviceHealth> health(HostInventory host) {
    List<DeviceHealth> health = new ArrayList<>();
    for (PciFunction gpu : gpus(host)) {
      boolean works = gpu.driver() != null;
      for (Device part : partitions(gpu)) {
        health.add(
            works
                ? new DeviceHealth(part.name(), DeviceHealth.Status.HEALTHY, "")
                : new DeviceHealth(
                    part.name(), DeviceHealth.Status.UNHEALTHY, "no kernel driver is bound"));
      }
    }
    return health;
  }

  @Override
  public Prepared prepare(ClaimedDevices claim, Journal journal) {
    return new Prepared(
        claim.devices().stream()
            .map(device -> PreparedDevice.of(device, ContainerEdits.NONE, ""))
            .toList());
  }

  private static List<PciFunction> gpus(HostInventory host) {
    return host.pciFunctions().stream().filter(one -> one.kind() == DeviceKind.GPU).toList();
  }

  private static List<Device> partitions(PciFunction gpu) {
    return List.of(
        partition(gpu, "whole", 8), partition(gpu, "half-0", 4), partition(gpu, "half-1", 4));
  }

  private static Device partition(PciFunction gpu, String part, long slices) {
    return Device.named(label(gpu) + "-" + part)
        .attribute("part", part)
        .consumesCounters(
            new DeviceCounterConsumption(
                label(gpu), Map.of("slices", Quantity.of(slices)), List.of()))
        .build();
  }

  private static String label(PciFunction gpu) {
    return "gpu-" + gpu.address().toString().replace(':', '-').replace('.', '-');
  }
}
