package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.AllocationMode;
import io.dra4j.model.ClaimKey;
import io.dra4j.model.Container;
import io.dra4j.model.DeviceClass;
import io.dra4j.model.DeviceRequest;
import io.dra4j.model.DeviceSubRequest;
import io.dra4j.model.ExactDeviceRequest;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.ObjectMeta;
import io.dra4j.model.OwnerReference;
import io.dra4j.model.Pod;
import io.dra4j.model.PodPhase;
import io.dra4j.model.PodSpec;
import io.dra4j.model.Quantity;
import io.dra4j.model.ResourceClaim;
import io.dra4j.model.ResourceQuota;
import io.dra4j.model.ResourceRequirements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

  private static Pod pod(@Nullable String uid, PodPhase phase, String resource, long count) {
    ResourceRequirements resources =
        new ResourceRequirements(Map.of(resource, Quantity.of(count)), Map.of());
    return Pod.named("ns", "p")
        .metadata(ObjectMeta.named("ns", "p").toBuilder().uid(uid).build())
        .phase(phase)
        .spec(PodSpec.builder().containers(List.of(Container.of("c", resources))).build())
        .build();
  }

  private static ResourceClaim special(long count) {
    ResourceClaim claim = claim("p-extended-resources", gpus("a", count));
    ObjectMeta metadata =
        claim.metadata().toBuilder()
            .annotation("resource.kubernetes.io/extended-resource-claim", "true")
            .ownerReferences(List.of(OwnerReference.controller("v1", "Pod", "p")))
            .build();
    return claim.toBuilder().metadata(metadata).build();
  }

  private static long usedAfter(String resource, KubernetesObject... objects) {
    List<KubernetesObject> all = new ArrayList<>(List.of(objects));
    all.add(quota(resource, 9).withUsed(Map.of(resource, Quantity.of(2))));
    return new ClaimQuotas(all)
        .quotas()
        .get(0)
        .used()
        .getOrDefault(resource, Quantity.of(0))
        .value();
  }

  @Test
  void whatAPodThatExistsIsChargedItsSpecialClaimIsNotChargedAgain() {
    Pod existing = pod("u", PodPhase.UNSET, "e.com/gpu", 2);
    assertThat(usedAfter(REQUESTS, CLASS, existing, special(2))).isEqualTo(2);
    assertThat(usedAfter(REQUESTS, CLASS, existing, special(3))).isEqualTo(3); // one more
    assertThat(usedAfter(IMPLICIT, CLASS, existing, special(2))).isEqualTo(4); // of the claim alone
    assertThat(usedAfter(DEVICES, CLASS, existing, special(2))).isEqualTo(4);
    assertThat(usedAfter(CLAIMS, CLASS, existing, special(2))).isEqualTo(3);
    Pod implicit = pod("u", PodPhase.UNSET, IMPLICIT.substring("requests.".length()), 2);
    assertThat(usedAfter(IMPLICIT, DeviceClass.named("gpu"), implicit, special(2))).isEqualTo(2);
    ResourceQuota full = quota(REQUESTS, 2).withUsed(Map.of(REQUESTS, Quantity.of(2)));
    ClaimQuotas quotas = new ClaimQuotas(List.of(full, CLASS, existing, special(2)));
    assertThat(quotas.refusal(ClaimKey.of(special(2)))).isNull();
  }

  @Test
  void aSpecialClaimIsChargedWhereItsPodIsNot() {
    Pod created = pod(null, PodPhase.UNSET, "e.com/gpu", 2);
    assertThat(usedAfter(REQUESTS, CLASS, created, special(2))).isEqualTo(4);
    Pod ended = pod("u", PodPhase.FAILED, "e.com/gpu", 2);
    assertThat(usedAfter(REQUESTS, CLASS, ended, special(2))).isEqualTo(4);
    Pod existing = pod("u", PodPhase.UNSET, "e.com/gpu", 2);
    assertThat(used(quota(REQUESTS, 9), CLASS, existing, special(2)))
        .containsEntry(REQUESTS, Quantity.of(2)); // the quota has counted nothing yet
    assertThat(usedAfter(REQUESTS, CLASS, existing, claim("own", gpus("a", 2)))).isEqualTo(4);
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
            "ResourceQuota ns/q: no room for claim ns/big: it requests 3 of "
                + DEVICES
                + "; 2 of 4 are in use");
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
