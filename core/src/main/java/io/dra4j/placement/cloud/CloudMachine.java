package io.dra4j.placement.cloud;

import java.util.List;

/**
 * A machine type of a cloud, with the networks that matter for placement.
 *
 * @param machineType the name that the cloud has for it, for example {@code a4-highgpu-8g}
 * @param cloud for example {@code GCE}
 * @param gpu the product, for example {@code B200}
 * @param gpus how many GPUs it has
 * @param gpuNics how many NICs are for GPUs; each is a rail
 * @param tier how these NICs reach the memory of the GPUs
 * @param networks the networks that its NICs are in
 * @param sources where the numbers come from
 */
public record CloudMachine(
    String machineType,
    String cloud,
    String gpu,
    int gpus,
    int gpuNics,
    NetworkTier tier,
    List<Network> networks,
    List<String> sources) {

  /** Copies the lists. {@inheritDoc} */
  public CloudMachine {
    networks = List.copyOf(networks);
    sources = List.copyOf(sources);
  }

  /**
   * Networks of one purpose.
   *
   * @param purpose {@code host} or {@code gpu}
   * @param vpcs how many VPCs there are
   * @param subnetsOfEach how many subnets each VPC has
   * @param nics how many NICs of the machine are in them
   */
  public record Network(String purpose, int vpcs, int subnetsOfEach, int nics) {

    /**
     * Counts the subnets of all VPCs.
     *
     * @return how many subnets a cluster of such machines needs for the purpose
     */
    public int subnets() {
      return vpcs * subnetsOfEach;
    }
  }
}
