package io.dra4j.netlink;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/**
 * Hears of {@link Thread#interrupt} while a thread waits in a system call, which the JVM does not
 * end by itself. The one public way to hear of that is to be a selector: between {@link #begin} and
 * {@link #end} the JDK calls {@link #wakeup} when the thread is interrupted, platform thread or
 * virtual. It selects nothing.
 */
final class Interruption extends AbstractSelector {

  private final Runnable wake;

  /** What wakes the thread is called by the thread that interrupts it. */
  Interruption(Runnable wake) {
    super(SelectorProvider.provider());
    this.wake = wake;
  }

  /** The calling thread is about to wait. If it has been interrupted already, wakes it at once. */
  void enter() {
    begin();
  }

  /**
   * The calling thread does not wait any more. What wakes it may still be called once: JDK 25 calls
   * it after it has let go of the thread.
   */
  void exit() {
    end();
  }

  @Override
  public Selector wakeup() {
    wake.run();
    return this;
  }

  @Override
  protected void implCloseSelector() {
    // owns nothing
  }

  @Override
  protected SelectionKey register(
      AbstractSelectableChannel channel, int operations, Object attachment) {
    throw new ClosedSelectorException();
  }

  @Override
  public Set<SelectionKey> keys() {
    return Set.of();
  }

  @Override
  public Set<SelectionKey> selectedKeys() {
    return Set.of();
  }

  @Override
  public int selectNow() {
    return 0;
  }

  @Override
  public int select(long timeout) {
    return 0;
  }

  @Override
  public int select() {
    return 0;
  }
}
