package io.dra4j.netlink;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/**
 * Reacts to {@link Thread#interrupt} while a thread waits in a system call, which the JVM does not
 * interrupt by itself. The only public way is to be a selector: between {@link #begin} and {@link
 * #end} the JDK calls {@link #wakeup} when the thread is interrupted, for platform and virtual
 * threads. It selects nothing.
 */
final class Interruption extends AbstractSelector {

  private final Runnable wake;

  /** Creates an instance. The interrupting thread runs the wake action. */
  Interruption(Runnable wake) {
    super(SelectorProvider.provider());
    this.wake = wake;
  }

  /** Call it before the thread waits. If it was interrupted already, wakes it at once. */
  void enter() {
    begin();
  }

  /** Call it after the wait. The wake action may still run once, because JDK 25 calls it late. */
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
