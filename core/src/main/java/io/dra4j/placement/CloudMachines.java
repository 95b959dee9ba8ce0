package io.dra4j.placement;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The machine types of clouds whose networks are known, from one data file with its sources. */
public final class CloudMachines {

  private static final String FILE = "cloud-machines.json";

  private static final List<CloudMachine> ALL = read();

  private CloudMachines() {}

  /**
   * Returns all machine types.
   *
   * @return the machine types by name
   */
  public static List<CloudMachine> all() {
    return ALL;
  }

  /**
   * Finds a machine type.
   *
   * @param machineType for example {@code a3-highgpu-8g}, as the label {@code
   *     node.kubernetes.io/instance-type} of a node has it
   * @return the machine type; empty if its networks are not known
   */
  public static Optional<CloudMachine> find(String machineType) {
    return ALL.stream().filter(machine -> machine.machineType().equals(machineType)).findFirst();
  }

  private static List<CloudMachine> read() {
    try (InputStream in = CloudMachines.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + FILE + " is missing from dra4j-core");
      }
      List<CloudMachine> machines = new ArrayList<>();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (StrictJson json : StrictJson.parse(text).only("machines").objects("machines")) {
        machines.add(machine(json));
      }
      return List.copyOf(machines);
    } catch (IOException | StrictJson.Problem e) {
      throw new IllegalStateException("the data of dra4j-core itself: " + FILE, e);
    }
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
