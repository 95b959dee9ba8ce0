package io.dra4j.inventory.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedCacheTest {

  private static final class Remembered implements BoundedCache.Part {
    int forgotten;

    @Override
    public void forget() {
      forgotten++;
    }
  }

  @Test
  void allForgetOnceTheyRememberMoreThanTheBound() {
    BoundedCache memory = new BoundedCache(100);
    Remembered a = new Remembered();
    Remembered b = new Remembered();
    memory.grown(a, 60);
    memory.grown(b, 40);
    assertThat(a.forgotten + b.forgotten).isZero();
    assertThat(memory.bytes()).isEqualTo(100);
    memory.grown(b, 1);
    assertThat(List.of(a.forgotten, b.forgotten)).containsExactly(1, 1);
    assertThat(memory.bytes()).isZero();
    assertThat(memory.parts()).isZero();
  }

  @Test
  void whatAPartRemembersInsteadCountsOnce() {
    BoundedCache memory = new BoundedCache(100);
    Remembered part = new Remembered();
    for (int i = 0; i < 10; i++) {
      memory.replaced(part, 60 - i);
    }
    assertThat(memory.bytes()).isEqualTo(51);
    assertThat(memory.parts()).isEqualTo(1);
    assertThat(part.forgotten).isZero();
  }

  @Test
  void whatNobodyHoldsIsNotKeptAndNotCounted() throws InterruptedException {
    BoundedCache memory = new BoundedCache(1_000_000);
    Remembered held = new Remembered();
    memory.grown(held, 10);
    List<Remembered> others = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      others.add(new Remembered());
      memory.grown(others.get(i), 10);
    }
    assertThat(memory.bytes()).isEqualTo(1_010);
    others.clear();
    for (int i = 0; i < 1_000 && memory.parts() > 1; i++) {
      System.gc();
      Thread.sleep(5);
    }
    assertThat(memory.parts()).isEqualTo(1);
    assertThat(memory.bytes()).isEqualTo(10);
    memory.forget();
    assertThat(held.forgotten).isEqualTo(1);
  }

  @Test
  void whatNobodyHoldsMakesNobodyForget() throws InterruptedException {
    Remembered held = new Remembered();
    for (int i = 0; i < 200; i++) {
      BoundedCache memory = new BoundedCache(100);
      memory.grown(new Remembered(), 90);
      System.gc();
      Thread.sleep(5); // for the collector to tell
      memory.grown(held, 20);
      if (held.forgotten <= i) {
        return;
      }
    }
    throw new AssertionError("what was collected still counts");
  }
}
