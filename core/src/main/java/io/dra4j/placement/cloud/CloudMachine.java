package io.dra4j.placement.cloud;

import java.util.List;

/**
 * A machine type of a cloud, with the networks that matter for placement.
 *
 * @param machineType the name of the machine type in the cloud, for example {@code a4-highgpu-8g}
 * @param cloud for example {@code GCE}
 * @param gpu the product, for example {@code B200}
 * @param gpus the number of GPUs
 * @param gpuNics the number of NICs for GPUs; each is a rail
 * @param tier the way in which these NICs reach the memory of the GPUs
 * @param networks the networks of its NICs
 * @param sources the sources of the numbers
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
   * @param vpcs the number of VPCs
   * @param subnetsOfEach the number of subnets of each VPC
   * @param nics the number of NICs of the machine in these networks
   */
  public record Network(String purpose, int vpcs, int subnetsOfEach, int nics) {

    /** {@return the number of subnets in all VPCs that such machines need for the purpose} */
    public int subnets() {
      return vpcs * subnetsOfEach;
    }
  }
}
