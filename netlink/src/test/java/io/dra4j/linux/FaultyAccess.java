package io.dra4j.linux;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The kernel, of which a chosen call fails: for tests of what is left when one does. A call that
 * fails is not made, except {@code close}, which Linux carries out even when it reports an error.
 *
 * <pre>{@code
 * FaultyAccess kernel = FaultyAccess.overSystem();
 * try (NetworkNamespace namespace = NetworkNamespace.current(kernel.access())) {
 *   int calls = kernel.during(() -> work(namespace));         // none fails
 *   for (int n = 1; n <= calls; n++) {
 *     kernel.failing(n, Errno.ENOMEM, () -> work(namespace)); // the n-th does
 *   }
 * }
 * }</pre>
 *
 * <p>Calls of all threads count, in the order in which they come. Thread-safe.
 */
public final class FaultyAccess {

  private final NativeAccess kernel;
  private final NativeAccess access;
  private final List<String> calls = new ArrayList<>();
  private int failingCall;
  private String failingName = "";
  private Errno error = Errno.EIO;
  private int failuresLeft;
  private int failures;
  private int interruptedCall;
  private Work interruption = () -> {};

  private FaultyAccess(NativeAccess kernel) {
    this.kernel = kernel;
    this.access =
        (NativeAccess)
            Proxy.newProxyInstance(
                FaultyAccess.class.getClassLoader(),
                new Class<?>[] {NativeAccess.class},
                (proxy, method, arguments) -> call(method, arguments));
  }

  /** The kernel that this process runs on; nothing fails yet. */
  public static FaultyAccess overSystem() {
    return new FaultyAccess(NativeAccess.system());
  }

  /** What is to be given to the code under test. */
  public NativeAccess access() {
    return access;
  }

  /**
   * Forgets the calls so far; the n-th from now on, counted from 1, fails, if there are so many.
   */
  public synchronized void failCall(int n, Errno errno) {
    reset();
    failingCall = n;
    error = errno;
    failuresLeft = 1;
  }

  /** Forgets the calls so far; the next calls of a method, {@code send} for one, fail. */
  public synchronized void failNext(String method, int times, Errno errno) {
    reset();
    failingName = method;
    error = errno;
    failuresLeft = times;
  }

  /** Forgets the calls so far; nothing fails any more. */
  public synchronized void reset() {
    calls.clear();
    failingCall = 0;
    failingName = "";
    failuresLeft = 0;
    failures = 0;
    interruptedCall = 0;
  }

  /** The methods that have been called, in order. */
  public synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /** How many calls were made to fail. */
  public synchronized int failures() {
    return failures;
  }

  /** Does something while nothing fails; tells how many calls it took. */
  public int during(Work work) throws IOException {
    reset();
    work.run();
    return calls().size();
  }

  /** Does something of which the n-th call fails; tells with what it ended, empty if well. */
  public Optional<Exception> failing(int n, Errno errno, Work work) {
    failCall(n, errno);
    try {
      work.run();
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.of(e);
    } finally {
      reset();
    }
  }

  /**
   * Does something, and something else before its n-th call, as another process would that has the
   * luck to come just then. Nothing fails.
   */
  public void interrupted(int n, Work meanwhile, Work work) throws IOException {
    reset();
    synchronized (this) {
      interruptedCall = n;
      interruption = meanwhile;
    }
    try {
      work.run();
    } finally {
      reset();
    }
  }

  private synchronized Work interruption() {
    return calls.size() + 1 == interruptedCall ? interruption : () -> {};
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    if (method.getReturnType() == int.class) {
      interruption().run();
    }
    if (method.getReturnType() == int.class && count(method.getName())) {
      if (method.getName().equals("close")) {
        forward(method, arguments);
      }
      return -error.code();
    }
    return forward(method, arguments);
  }

  private Object forward(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(kernel, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private synchronized boolean count(String name) {
    calls.add(name);
    if (failuresLeft > 0 && (calls.size() == failingCall || name.equals(failingName))) {
      failuresLeft--;
      failures++;
      return true;
    }
    return false;
  }

  /** What a test does. */
  @FunctionalInterface
  public interface Work {

    /** Does it. */
    void run() throws IOException;
  }
}
