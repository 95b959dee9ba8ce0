package io.dra4j.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.AllocationOutcome.Unallocatable;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceConstraint;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private static final String ROOT = "resource.kubernetes.io/pcieRoot";

  private static Explanation explain(Cluster cluster, ResourceClaim... claims) {
    return ((Unallocatable) cluster.allocate(claims)).explanation();
  }

  private static Cluster onePairPerRoot(int roots) {
    List<Device> gpus = new ArrayList<>();
    List<Device> nics = new ArrayList<>();
    for (int i = 0; i < roots; i++) {
      gpus.add(Device.named("gpu" + i).attribute(ROOT, "pci0000:0" + i).build());
      nics.add(Device.named("nic" + i).attribute(ROOT, "pci0000:0" + i).build());
    }
    return Cluster.of(
        ResourceSlice.onNode("gpus", "gpu", "n", gpus),
        ResourceSlice.onNode("nics", "nic", "n", nics));
  }

  @Test
  void aConstraintOverTwoRequestsIsNamedWithTheRequestsAndTheBestValue() {
    ResourceClaim claim =
        ResourceClaim.named("aligned")
            .request("gpus", request -> request.deviceClass("gpu").count(2))
            .request("nics", request -> request.deviceClass("nic").count(2))
            .constraint(DeviceConstraint.matchAttribute(ROOT))
            .build();
    assertThat(explain(onePairPerRoot(8), claim).summary())
        .isEqualTo(
            "claim default/aligned: matchAttribute resource.kubernetes.io/pcieRoot spans the"
                + " requests gpus (2) and nics (2): all 4 devices must share one value, and none of"
                + " 8 values has enough free devices; the closest is pci0000:00 with 1 for gpus and"
                + " 1 for nics");
  }

  @Test
  void aRequestThatIsShortOfDevicesSaysWhatBecameOfEach() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("r", request -> request.deviceClass("gpu").count(3))
            .build();
    assertThat(explain(onePairPerRoot(2), claim).summary())
        .isEqualTo(
            "claim default/c, request r: needs 3 devices of class gpu, 2 can be had; of 4 devices"
                + " on the node 2 not of the class");
  }

  @Test
  void claimsThatFitOnlyAloneAreSaidToBe() {
    ResourceClaim a =
        ResourceClaim.named("a").request("r", r -> r.deviceClass("gpu").count(2)).build();
    ResourceClaim b =
        ResourceClaim.named("b").request("r", r -> r.deviceClass("gpu").count(1)).build();
    assertThat(explain(onePairPerRoot(2), a, b).summary())
        .startsWith("default/a, default/b: each request can be fulfilled by itself");
  }
}
