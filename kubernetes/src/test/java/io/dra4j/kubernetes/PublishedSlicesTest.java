package io.dra4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.inventory.InventoryEvent;
import io.dra4j.kubernetes.PublishedSlices.Published;
import io.dra4j.kubernetes.ResourceFollower.Change;
import io.dra4j.model.Device;
import io.dra4j.model.ResourceSlice;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of answers and watches, which come in any order, the newest knowledge stays. */
class PublishedSlicesTest {

  private final PublishedSlices slices = new PublishedSlices();

  private static ResourceSlice slice(String device) {
    return ResourceSlice.named("a", "d.example.com")
        .devices(List.of(Device.named(device).build()))
        .build();
  }

  private void watched(String version, Change... changes) {
    slices.apply(List.of(changes), slice -> true, version);
  }

  private static Change put(String version) {
    return new Change("a", version, new InventoryEvent.SlicePut(slice("d" + version)));
  }

  private static Change gone() {
    return new Change("a", "", new InventoryEvent.SliceRemoved("a"));
  }

  private void answer(String version) {
    slices.endWrite(slice("d" + version), version);
  }

  private List<String> known() {
    return slices.all().stream().map(Published::resourceVersion).toList();
  }

  @Test
  void answerIsNewerThanTheWatch() {
    watched("4", put("4"));
    slices.beginWrite("a");
    answer("5");
    assertThat(known()).containsExactly("5");
    watched("4", put("4")); // late
    assertThat(known()).containsExactly("5");
    watched("5", put("5"));
    watched("9");
    assertThat(known()).containsExactly("5");
  }

  @Test
  void answerThatTheWatchHasOvertakenIsLeftToTheWatch() {
    slices.beginWrite("a");
    watched("6", put("5"), put("6"));
    answer("5");
    assertThat(known()).containsExactly("6");
    slices.beginWrite("a");
    watched("8", put("7"), gone());
    answer("7");
    assertThat(known()).isEmpty();
  }

  @Test
  void answerThatTheWatchPassesWithoutBringingItIsGone() {
    slices.beginWrite("a");
    answer("5");
    watched("5");
    assertThat(known()).containsExactly("5");
    watched("6"); // a list: it was deleted while nothing was watched
    assertThat(known()).isEmpty();
  }

  @Test
  void writeThatFailedIsAwaitedNoMore() {
    slices.beginWrite("a");
    slices.endWrite();
    watched("5", put("5"));
    assertThat(known()).containsExactly("5");
  }
}
