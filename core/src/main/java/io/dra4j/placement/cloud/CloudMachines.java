package io.dra4j.placement.cloud;

import io.dra4j.internal.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The machine types of clouds whose networks are known, from one data file with its sources. */
public final class CloudMachines {

  private static final String FILE = "cloud-machines.json";

  private static final List<CloudMachine> ALL =
      StrictJson.ofResource(CloudMachines.class, FILE, CloudMachines::read);

  private CloudMachines() {}

  /** {@return all machine types, by name} */
  public static List<CloudMachine> all() {
    return ALL;
  }

  /**
   * {@return the machine type with a name; empty if its networks are not known}
   *
   * @param machineType for example {@code a3-highgpu-8g}, the value of the node label {@code
   *     node.kubernetes.io/instance-type}
   */
  public static Optional<CloudMachine> find(String machineType) {
    Objects.requireNonNull(machineType, "machineType");
    return ALL.stream().filter(machine -> machine.machineType().equals(machineType)).findFirst();
  }

  private static List<CloudMachine> read(StrictJson json) throws StrictJson.Problem {
    List<CloudMachine> machines = new ArrayList<>();
    for (StrictJson machine : json.only("machines").objects("machines")) {
      machines.add(machine(machine));
    }
    return List.copyOf(machines);
  }

  private static CloudMachine machine(StrictJson json) throws StrictJson.Problem {
    json.only("machineType", "cloud", "gpu", "gpus", "gpuNics", "gpuDirect", "networks", "sources");
    List<CloudMachine.Network> networks = new ArrayList<>();
    for (StrictJson network : json.objects("networks")) {
      network.only("for", "vpcs", "subnetsOfEach", "nics");
      networks.add(
          new CloudMachine.Network(
              network.required("for"),
              network.whole("vpcs", 0),
              network.whole("subnetsOfEach", 0),
              network.whole("nics", 0)));
    }
    return new CloudMachine(
        json.required("machineType"),
        json.required("cloud"),
        json.required("gpu"),
        json.whole("gpus", 0),
        json.whole("gpuNics", 0),
        NetworkTier.valueOf(json.required("gpuDirect")),
        networks,
        json.texts("sources"));
  }
}
