package io.dra4j.allocation.internal.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dra4j.allocation.AllocationOutcome.Allocated;
import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.Cluster;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.allocation.policy.PolicyContext;
import io.dra4j.allocation.policy.Score;
import io.dra4j.inventory.PolicyDevice;
import io.dra4j.inventory.internal.NodeDevice;
import io.dra4j.model.ResourceClaim;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The context as the policies of this library see it. */
class SearchPolicyContextTest {

  /** Looks at the context, and leaves the devices as they were found. */
  private record Look(Consumer<PolicyContext> at) implements AllocationPolicy {
    @Override
    public Choice choose(PolicyContext context) {
      at.accept(context);
      return new Choice.AsFound();
    }

    @Override
    public Optional<Score> score(PolicyContext context, List<List<PolicyDevice>> devices) {
      return Optional.empty();
    }
  }

  @Test
  void itHasTheDevicesOfTheNodeAndOfEachRequest() {
    ResourceClaim claim =
        ResourceClaim.named("c")
            .request("one", request -> request.deviceClass("any"))
            .request("two", request -> request.deviceClass("any").count(2))
            .build();
    Consumer<PolicyContext> look =
        asked -> {
          SearchPolicyContext context = SearchPolicyContext.of(asked);
          assertThat(context).isSameAs(asked);
          assertThat(context.view().node().name()).isEqualTo("n");
          assertThat(context.view().size()).isEqualTo(4);
          assertThat(context.firstFit(1))
              .extracting(device -> device.id().device())
              .containsExactly("d1", "d2");
          List<List<PolicyDevice>> found = context.firstFit();
          List<List<NodeDevice>> ofNode = SearchPolicyContext.nodeDevices(found);
          assertThat(ofNode).isSameAs(found).contains(context.firstFit(0), context.firstFit(1));
          assertThat(SearchPolicyContext.policyDevices(ofNode)).isSameAs(found);
        };
    assertThat(Cluster.withDevices(4).allocate(Allocator.builder().policy(new Look(look)), claim))
        .isInstanceOf(Allocated.class);
  }

  @Test
  void aContextOfAnotherMakerIsRefused() {
    PolicyContext foreign =
        (PolicyContext)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {PolicyContext.class},
                (proxy, method, arguments) -> {
                  throw new UnsupportedOperationException(method.getName());
                });
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SearchPolicyContext.of(foreign))
        .withMessageStartingWith("context: expected the context that the allocator passed, found ");
  }
}
