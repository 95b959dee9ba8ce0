package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What claims are charged, and by which quotas they are refused. */
class ClaimQuotasTest {

  private static final String DEVICES = "gpu.deviceclass.resource.k8s.io/devices";
  private static final String CLAIMS = "count/resourceclaims.resource.k8s.io";
  private static final String REQUESTS = "requests.e.com/gpu";
  private static final String IMPLICIT = "requests.deviceclass.resource.kubernetes.io/gpu";
  private static final DeviceClass CLASS =
      DeviceClass.named("gpu").toBuilder().extendedResourceName("e.com/gpu").build();

  private static ResourceQuota quota(String resource, long hard) {
    return ResourceQuota.named("ns", "q", Map.of(resource, Quantity.of(hard)));
  }

  private static ResourceClaim claim(String name, DeviceRequest... requests) {
    ResourceClaim.Builder claim = ResourceClaim.named(name).metadata(ObjectMeta.named("ns", name));
    List.of(requests).forEach(claim::request);
    return claim.build();
  }

  private static ResourceClaim created(ResourceClaim claim) {
    return claim.toBuilder()
        .metadata(claim.metadata().toBuilder().uid("u-" + claim.metadata().name()).build())
        .build();
  }

  private static DeviceRequest gpus(String name, long count) {
    return DeviceRequest.exactly(name, ExactDeviceRequest.ofClass("gpu").count(count).build());
  }

  private static Map<String, Quantity> used(KubernetesObject... objects) {
    return new ClaimQuotas(List.of(objects)).quotas().get(0).used();
  }

  @Test
  void requestsOfAClassAddUp() {
    ResourceClaim claim = claim("c", gpus("a", 2), gpus("b", 3));
    assertThat(used(quota(DEVICES, 9), claim)).containsEntry(DEVICES, Quantity.of(5));
    assertThat(used(quota(CLAIMS, 9), claim)).containsEntry(CLAIMS, Quantity.of(1));
  }

  @Test
  void ofAlternativesTheMostDevicesCount() {
    DeviceRequest request =
        DeviceRequest.firstAvailable(
            "r",
            List.of(
                new DeviceSubRequest("a", ExactDeviceRequest.ofClass("gpu").count(2).build()),
                new DeviceSubRequest("b", ExactDeviceRequest.ofClass("gpu").count(4).build()),
                new DeviceSubRequest("c", ExactDeviceRequest.ofClass("nic").count(9).build())));
    assertThat(used(quota(DEVICES, 9), claim("c", request))).containsEntry(DEVICES, Quantity.of(4));
  }

  @Test
  void allDevicesCountAsTheMostThatAClaimCanHave() {
    ExactDeviceRequest all = ExactDeviceRequest.ofClass("gpu").all().build();
    ExactDeviceRequest unknown =
        ExactDeviceRequest.ofClass("gpu").allocationMode(new AllocationMode("New"), 3).build();
    ResourceClaim claim =
        claim("c", DeviceRequest.exactly("a", all), DeviceRequest.exactly("b", unknown));
    assertThat(used(quota(DEVICES, 99), claim)).containsEntry(DEVICES, Quantity.of(32));
  }

  @Test
  void theExtendedResourceOfTheClassIsChargedToo() {
    ResourceClaim claim = claim("c", gpus("a", 2));
    assertThat(used(quota(REQUESTS, 9), CLASS, claim)).containsEntry(REQUESTS, Quantity.of(2));
    assertThat(used(quota(IMPLICIT, 9), CLASS, claim)).containsEntry(IMPLICIT, Quantity.of(2));
    assertThat(used(quota(IMPLICIT, 9), claim)).isEmpty(); // the class has no such resource
  }

  @Test
  void whatTheQuotaCountedIsNotChargedAgain() {
    ResourceQuota counted = quota(DEVICES, 9).withUsed(Map.of(DEVICES, Quantity.of(4)));
    ResourceClaim old = created(claim("old", gpus("a", 4)));
    assertThat(used(counted, old)).containsEntry(DEVICES, Quantity.of(4));
    assertThat(used(quota(DEVICES, 9), old)).containsEntry(DEVICES, Quantity.of(4));
    assertThat(used(counted, old, claim("new", gpus("a", 2))))
        .containsEntry(DEVICES, Quantity.of(6));
  }

  @Test
  void aClaimBeyondTheQuotaIsRefusedAndNotCharged() {
    List<KubernetesObject> objects = new ArrayList<>();
    objects.add(quota(DEVICES, 4));
    objects.add(claim("big", gpus("a", 3)));
    objects.add(claim("small", gpus("a", 2)));
    objects.add(created(claim("old", gpus("a", 2)))); // before those that are to be created
    ClaimQuotas quotas = new ClaimQuotas(objects);

    assertThat(quotas.refusal(new ClaimKey("ns", "big"))).isNotNull();
    assertThat(quotas.refusal(new ClaimKey("ns", "small"))).isNull();
    assertThat(quotas.refusal(new ClaimKey("ns", "old"))).isNull();
    assertThat(quotas.notes())
        .containsExactly(
            "ResourceQuota ns/q: no room for claim ns/big: it asks for 3 of "
                + DEVICES
                + ", of which 2 of 4 are in use");
  }

  @Test
  void aQuotaOfAnotherNamespaceOrWithScopesDoesNotCountClaims() {
    ResourceQuota other = ResourceQuota.named("other", "q", Map.of(CLAIMS, Quantity.of(0)));
    ResourceQuota scoped =
        new ResourceQuota(
            ObjectMeta.named("ns", "s"),
            Map.of(CLAIMS, Quantity.of(0)),
            List.of("BestEffort"),
            Map.of());
    ClaimQuotas quotas = new ClaimQuotas(List.of(other, scoped, claim("c", gpus("a", 1))));
    assertThat(quotas.refusal(new ClaimKey("ns", "c"))).isNull();
    assertThat(quotas.quotas()).containsExactly(other);
  }
}
