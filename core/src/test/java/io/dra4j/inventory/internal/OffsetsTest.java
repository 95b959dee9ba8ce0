package io.dra4j.inventory.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OffsetsTest {

  @Test
  void everyDeviceIsInItsPartWhateverEmptyPartsLieBetween() {
    Offsets offsets = Offsets.of(new Integer[] {0, 3, 0, 0, 2, 1, 0}, size -> size);
    assertThat(offsets.size()).isEqualTo(6);
    assertThat(offsets.first(4)).isEqualTo(3);
    assertThat(offsets.first(7)).isEqualTo(6);
    int[] parts = new int[6];
    for (int device = 0; device < 6; device++) {
      parts[device] = offsets.partOf(device);
    }
    assertThat(parts).containsExactly(1, 1, 1, 4, 4, 5);
  }

  @Test
  void withoutPartsThereAreNoDevices() {
    assertThat(Offsets.of(new Integer[0], size -> size).size()).isZero();
  }
}
