package io.dra4j.inventory.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.inventory.internal.SliceCache.Bits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SliceCacheTest {

  private static final int DEVICES = 40;

  private final BoundedCache memory = new BoundedCache(10_000_000);
  private final SliceCache slice = new SliceCache();

  @Test
  void remembersWhatAnyNumberOfExpressionsSaid() {
    List<Object> expressions = objects(1_000);
    for (int i = 0; i < expressions.size(); i++) {
      Bits.set(slice.bits(expressions.get(i), DEVICES, memory), i % DEVICES, Bits.YES);
    }
    for (int i = 0; i < expressions.size(); i++) {
      long[] said = slice.bits(expressions.get(i), DEVICES, memory);
      for (int device = 0; device < DEVICES; device++) {
        assertThat(Bits.get(said, device)).isEqualTo(device == i % DEVICES ? Bits.YES : 0);
      }
    }
  }

  @Test
  void isBoundedInBytes() {
    BoundedCache small = new BoundedCache(2_000);
    Object first = new Object();
    Bits.set(slice.bits(first, DEVICES, small), 3, Bits.NO);
    for (Object expression : objects(100)) {
      slice.bits(expression, DEVICES, small);
      assertThat(small.bytes()).isLessThanOrEqualTo(2_000);
    }
    assertThat(Bits.get(slice.bits(first, DEVICES, small), 3)).isZero();
  }

  @Test
  void valuesAndBitsGoBesideEachOther() {
    Object selector = new Object();
    Object attribute = new Object();
    slice.values(attribute, DEVICES, memory)[7] = "seven";
    Bits.set(slice.bits(selector, DEVICES, memory), 7, Bits.YES);
    assertThat(slice.values(attribute, DEVICES, memory)[7]).isEqualTo("seven");
    assertThat(Bits.get(slice.bits(selector, DEVICES, memory), 7)).isEqualTo(Bits.YES);
    slice.forget();
    assertThat(slice.values(attribute, DEVICES, memory)[7]).isNull();
  }

  @Test
  void threadsThatAddAtOnceAgreeOnWhereAnswersAre() throws Exception {
    List<Object> expressions = objects(300);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<List<long[]>>> each = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        each.add(() -> expressions.stream().map(e -> slice.bits(e, DEVICES, memory)).toList());
      }
      List<long[]> first = null;
      for (Future<List<long[]>> future : threads.invokeAll(each)) {
        List<long[]> bits = future.get();
        first = first == null ? bits : first;
        for (int i = 0; i < bits.size(); i++) {
          assertThat(bits.get(i)).isSameAs(first.get(i));
        }
      }
    } finally {
      threads.shutdown();
    }
  }

  private static List<Object> objects(int number) {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      objects.add(new Object());
    }
    return objects;
  }

  @Test
  void twoBitsAreKeptForEachDevice() {
    assertThat(SliceCache.Bits.words(0)).isEqualTo(1);
    assertThat(SliceCache.Bits.words(31)).isEqualTo(1);
    assertThat(SliceCache.Bits.words(1_024)).isEqualTo(33);
  }

  private long bytesOf(boolean values, int devices) {
    BoundedCache counted = new BoundedCache(10_000_000);
    if (values) {
      slice.values(new Object(), devices, counted);
    } else {
      slice.bits(new Object(), devices, counted);
    }
    return counted.bytes();
  }

  @Test
  void whatIsKeptIsCountedByTheNumberOfDevices() {
    // Two bits for each device, and a value of many bytes.
    assertThat(bytesOf(false, 8_000)).isBetween(2_000L, 2_100L);
    assertThat(bytesOf(true, 8_000)).isBetween(8_000L * 50, 8_000L * 200);
    assertThat(bytesOf(false, 1)).isPositive();
  }
}
