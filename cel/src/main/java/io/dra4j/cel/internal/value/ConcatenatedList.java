package io.dra4j.cel.internal.value;

import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * The concatenation of two lists by {@code +}, without a copy: the operation has the same cost for
 * any size, and an expression can double a list repeatedly.
 */
public final class ConcatenatedList extends AbstractList<Object> {

  private final List<?> first;
  private final List<?> second;
  private final long size;

  ConcatenatedList(List<?> first, List<?> second) {
    this.first = first;
    this.second = second;
    this.size = Values.size(first) + Values.size(second);
    if (size < 0) { // cel-go panics when something asks for the size
      throw new EvaluationAborted(
          "internal error: interface conversion: ref.Val is *types.Err, not types.Int");
    }
  }

  /** Returns the size, which may be more than that of a list can be. */
  long length() {
    return size;
  }

  @Override
  public int size() {
    return (int) Math.min(size, Integer.MAX_VALUE);
  }

  @Override
  public Object get(int index) {
    return element(this, index);
  }

  /** Returns an element of a list, which may have more of them than a list of Java can have. */
  public static Object element(List<?> all, long index) {
    List<?> list = all;
    long position = index;
    while (list instanceof ConcatenatedList pair) {
      long size = Values.size(pair.first);
      if (position < size) {
        list = pair.first;
      } else {
        list = pair.second;
        position -= size;
      }
    }
    return list.get((int) position);
  }

  @Override
  public Iterator<Object> iterator() {
    Deque<List<?>> rest = new ArrayDeque<>();
    rest.push(this);
    return new Iterator<>() {
      private Iterator<?> current = Collections.emptyIterator();

      @Override
      public boolean hasNext() {
        while (!current.hasNext() && !rest.isEmpty()) {
          List<?> list = rest.pop();
          while (list instanceof ConcatenatedList pair) {
            rest.push(pair.second);
            list = pair.first;
          }
          current = list.iterator();
        }
        return current.hasNext();
      }

      @Override
      public Object next() {
        return hasNext() ? current.next() : Collections.emptyIterator().next();
      }
    };
  }
}
