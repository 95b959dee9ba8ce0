package io.dra4j.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.model.ClaimKey;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Pod;
import io.dra4j.model.ResourceClaim;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The claims of pods and groups that no longer exist ({@code syncClaim} in {@code
 * pkg/controller/resourceclaim/controller.go} of Kubernetes 1.37.2).
 */
class GonePodsTest {

  private static final String RUNNING =
      "{apiVersion: v1, kind: Pod, metadata: {name: r, uid: u-r}, spec: {nodeName: n0}}\n---\n";

  private static PodQueue queue(String text) {
    return PodQueue.of(TestCluster.objects(text));
  }

  private static ResourceClaim claim(PodQueue queue) {
    return Objects.requireNonNull(queue.claims().get(new ClaimKey("default", "c")));
  }

  private static String allocated(String reservedFor) {
    return allocated(reservedFor, "");
  }

  private static String allocated(String reservedFor, String metadata) {
    return """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c%s}, spec: {devices:
          {requests: [{name: r, exactly: {deviceClassName: x}}]}}, status: {allocation: {devices:
          {results: [{request: r, driver: d.io, pool: n0, device: d0}]}}, reservedFor: [%s]}}
        """
        .formatted(metadata, reservedFor);
  }

  private static String owner(String kind, String name) {
    return ", ownerReferences: [{apiVersion: v1, kind: %s, name: %s, uid: u-%s, controller: true}]"
        .formatted(kind, name, name);
  }

  @Test
  void aClaimWhoseLastPodNoLongerExistsIsFree() {
    PodQueue queue = queue(RUNNING + allocated("{resource: pods, name: gone, uid: u-gone}"));

    assertThat(claim(queue).allocation()).isNull();
    assertThat(queue.pods()).as("no pod waits for the claim").isEmpty();
    assertThat(queue.freed())
        .containsExactly(
            "ResourceClaim default/c: its devices count as free, because the input has Pods or"
                + " PodGroups of its namespace, but not pod default/gone of UID u-gone");
  }

  @Test
  void aClaimThatWasCreatedForAPodThatNoLongerExistsIsFreeAndNotPlaced() {
    PodQueue allocated = queue(RUNNING + allocated("", owner("Pod", "gone")));
    assertThat(claim(allocated).allocation()).isNull();
    assertThat(allocated.pods()).isEmpty();

    PodQueue pending =
        queue(
            RUNNING
                + """
                {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c%s},
                  spec: {devices: {requests: [{name: r, exactly: {deviceClassName: x}}]}}}
                """
                    .formatted(owner("Pod", "gone")));
    assertThat(pending.pods()).isEmpty();
    assertThat(pending.freed())
        .singleElement()
        .asString()
        .contains("default/c: is not placed, because");
  }

  @Test
  void oneRemainingReservationKeepsTheAllocation() {
    PodQueue queue =
        queue(
            RUNNING
                + allocated(
                    "{resource: pods, name: gone, uid: u-gone}, {resource: pods, name: r, uid: u-r}",
                    owner("Pod", "gone")));

    assertThat(claim(queue).allocation()).isNotNull();
    assertThat(claim(queue).status().reservedFor())
        .singleElement()
        .extracting("name")
        .isEqualTo("r");
    assertThat(queue.freed()).isEmpty();
  }

  @Test
  void aPodThatReplacedAnotherOneOfItsNameDoesNotHoldItsClaim() {
    assertThat(
            claim(queue(RUNNING + allocated("{resource: pods, name: r, uid: u-before}")))
                .allocation())
        .isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no pod of the namespace | {apiVersion: v1, kind: Pod, metadata: {name: r, namespace: x, uid: u-r}} | uid: u-gone
          pods without UIDs       | {apiVersion: v1, kind: Pod, metadata: {name: r}}                         | uid: u-gone
          a reservation without   | {apiVersion: v1, kind: Pod, metadata: {name: r, uid: u-r}}               | uid: ''
          only other groups       | {apiVersion: v1, kind: Pod, metadata: {name: r, uid: u-r}}               | apiGroup: scheduling.k8s.io, uid: u-gone
          """)
  void unknownPodsKeepTheirClaims(String name, String pod, String reservation) {
    String reserved =
        "{resource: %s, name: gone, %s}"
            .formatted(reservation.contains("apiGroup") ? "podgroups" : "pods", reservation);
    PodQueue queue = queue(pod + "\n---\n" + allocated(reserved));

    assertThat(claim(queue).allocation()).as(name).isNotNull();
    assertThat(queue.freed()).as(name).isEmpty();
  }

  @Test
  void aPodGroupThatNoLongerExistsHoldsNoClaim() {
    String group =
        "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: g, uid: u-g},"
            + " spec: {schedulingPolicy: {basic: {}}}}\n---\n";
    String reserved = "{apiGroup: scheduling.k8s.io, resource: podgroups, name: NAME, uid: u-NAME}";

    assertThat(claim(queue(group + allocated(reserved.replace("NAME", "gone")))).allocation())
        .isNull();
    assertThat(claim(queue(group + allocated(reserved.replace("NAME", "g")))).allocation())
        .isNotNull();
  }

  @Test
  void podsThatAreNotPlacedKeepTheirClaims() {
    List<KubernetesObject> objects =
        TestCluster.objects(RUNNING + allocated("{resource: pods, name: gone, uid: u-gone}"));
    List<Pod> others =
        TestCluster.objects("{apiVersion: v1, kind: Pod, metadata: {name: gone, uid: u-gone}}")
            .stream()
            .map(Pod.class::cast)
            .toList();

    assertThat(claim(PodQueue.of(objects, claim -> true, others)).allocation()).isNotNull();
  }
}
