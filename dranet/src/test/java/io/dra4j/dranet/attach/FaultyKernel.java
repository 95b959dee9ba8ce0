package io.dra4j.dranet.attach;

import io.dra4j.linux.Errno;
import io.dra4j.linux.NativeAccess;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernel, of which the n-th call fails with EIO. A call that fails is not made, except {@code
 * close}, which Linux carries out even when it reports an error. Calls of all threads count.
 */
final class FaultyKernel {

  private final NativeAccess kernel = NativeAccess.system();
  private final NativeAccess access =
      (NativeAccess)
          Proxy.newProxyInstance(
              FaultyKernel.class.getClassLoader(),
              new Class<?>[] {NativeAccess.class},
              (proxy, method, arguments) -> call(method, arguments));
  private final List<String> calls = new ArrayList<>();
  private int failing;

  NativeAccess access() {
    return access;
  }

  /** Forgets the calls so far; the n-th from now on fails; none for 0. */
  synchronized void fail(int n) {
    calls.clear();
    failing = n;
  }

  /** How many calls were made since. */
  synchronized int calls() {
    return calls.size();
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    boolean fails = method.getReturnType() == int.class && fails(method.getName());
    if (fails && !method.getName().equals("close")) {
      return -Errno.EIO.code();
    }
    try {
      Object result = method.invoke(kernel, arguments);
      return fails ? (Object) (-Errno.EIO.code()) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private synchronized boolean fails(String name) {
    calls.add(name);
    return calls.size() == failing;
  }
}
