package io.dra4j.cel.internal.text;

/**
 * Sorts as {@code sort.Slice} of Go 1.26 does, step by step: it is not stable, so that the order of
 * equal elements beyond the twelfth depends on each step.
 *
 * <p>Source: pattern-defeating quicksort (Peters, arXiv:2106.05123), with the constants of Go's
 * package {@code sort}.
 */
public final class GoSort {

  /** Compares two elements. */
  @FunctionalInterface
  public interface Less {
    boolean test(int a, int b);
  }

  private static final int SHORT = 12; // sorted by insertion
  private static final int MEDIAN = 8; // from here on the pivot is a median of three
  private static final int NINTHER = 50; // from here on a median of three medians
  private static final int MOST_SWAPS = 12; // that finding such a pivot may take
  private static final int SHIFTS = 5; // of elements of a range that is nearly sorted

  private final int[] items;
  private final Less less;
  private int swaps; // that the search for the pivot took

  private GoSort(int[] items, Less less) {
    this.items = items;
    this.less = less;
  }

  /** Returns the numbers from 0 to less than the size, sorted. */
  public static int[] sorted(int size, Less less) {
    int[] items = new int[size];
    for (int i = 0; i < size; i++) {
      items[i] = i;
    }
    new GoSort(items, less).sort(0, size, Integer.SIZE - Integer.numberOfLeadingZeros(size));
    return items;
  }

  private boolean less(int i, int j) {
    return less.test(items[i], items[j]);
  }

  private void swap(int i, int j) {
    int item = items[i];
    items[i] = items[j];
    items[j] = item;
  }

  /** Sorts a range; {@code chances} is the number of bad pivots before heapsort takes over. */
  @SuppressWarnings("MethodLength") // the steps of pdqsort share its range and balance
  private void sort(int from, int to, int chances) {
    int begin = from;
    int end = to;
    int left = chances;
    boolean balanced = true;
    boolean ordered = true; // the last partition moved nothing
    while (end - begin > SHORT) {
      if (left == 0) {
        sortByHeap(begin, end);
        return;
      } else if (!balanced) {
        scatter(begin, end);
        left--;
      }
      int length = end - begin;
      int pivot = pivot(begin, length);
      boolean rising = swaps == 0;
      if (swaps == MOST_SWAPS) {
        reverse(begin, end);
        pivot = end - 1 - (pivot - begin);
        rising = true;
      }
      if (balanced && ordered && rising && sortNearlySorted(begin, end)) {
        return;
      } else if (begin > 0 && !less(begin - 1, pivot)) {
        begin = partitionEqual(begin, end, pivot);
        continue;
      }
      int middle = partition(begin, end, pivot);
      ordered = middle < 0;
      middle = ordered ? -middle - 1 : middle;
      if (middle - begin < end - middle) {
        balanced = middle - begin >= length / 8;
        sort(begin, middle, left);
        begin = middle + 1;
      } else {
        balanced = end - middle >= length / 8;
        sort(middle + 1, end, left);
        end = middle;
      }
    }
    for (int i = begin + 1; i < end; i++) {
      sink(i, begin);
    }
  }

  /** Moves an element down to where it belongs. */
  private void sink(int from, int least) {
    for (int i = from; i > least && less(i, i - 1); i--) {
      swap(i, i - 1);
    }
  }

  private int pivot(int begin, int length) {
    swaps = 0;
    int quarter = length / 4;
    int a = begin + quarter;
    int b = begin + 2 * quarter;
    int c = begin + 3 * quarter;
    if (length >= NINTHER) {
      a = median(a - 1, a, a + 1);
      b = median(b - 1, b, b + 1);
      c = median(c - 1, c, c + 1);
    }
    return length >= MEDIAN ? median(a, b, c) : b;
  }

  private int median(int first, int second, int third) {
    int a = first;
    int b = second;
    int c = third;
    if (less(b, a)) {
      swaps++;
      a = second;
      b = first;
    }
    if (less(c, b)) {
      swaps++;
      c = b;
      b = third;
    }
    if (less(b, a)) {
      swaps++;
      b = a;
    }
    return b;
  }

  /** Returns the new place of the pivot, or −1 less that if nothing had to be moved. */
  private int partition(int begin, int end, int pivot) {
    swap(begin, pivot);
    int low = begin + 1;
    int high = end - 1;
    boolean moved = false;
    while (true) {
      while (low <= high && less(low, begin)) {
        low++;
      }
      while (low <= high && !less(high, begin)) {
        high--;
      }
      if (low > high) {
        swap(high, begin);
        return moved ? high : -high - 1;
      }
      swap(low++, high--);
      moved = true;
    }
  }

  /** Moves what equals the pivot, the least of all, to the front, and returns where that ends. */
  private int partitionEqual(int begin, int end, int pivot) {
    swap(begin, pivot);
    int low = begin + 1;
    int high = end - 1;
    while (true) {
      while (low <= high && !less(begin, low)) {
        low++;
      }
      while (low <= high && less(begin, high)) {
        high--;
      }
      if (low > high) {
        return low;
      }
      swap(low++, high--);
    }
  }

  /** Tries to sort with few shifts, and returns whether that was enough. */
  private boolean sortNearlySorted(int begin, int end) {
    int i = begin + 1;
    for (int shifts = 0; shifts < SHIFTS; shifts++) {
      while (i < end && !less(i, i - 1)) {
        i++;
      }
      if (i == end || end - begin < NINTHER) {
        return i == end;
      }
      swap(i, i - 1);
      if (i - begin >= 2) {
        sink(i - 1, 0); // not begin: so does Go
      }
      if (end - i >= 2) {
        for (int j = i + 1; j < end && less(j, j - 1); j++) {
          swap(j, j - 1);
        }
      }
    }
    return false;
  }

  private void reverse(int begin, int end) {
    for (int i = begin, j = end - 1; i < j; i++, j--) {
      swap(i, j);
    }
  }

  /** Puts three elements of the middle elsewhere, always the same for a length. */
  private void scatter(int begin, int end) {
    int length = end - begin;
    long random = length;
    long mask = (1L << (Long.SIZE - Long.numberOfLeadingZeros(length))) - 1;
    int middle = begin + length / 4 * 2;
    for (int i = middle - 1; i <= middle + 1; i++) {
      random ^= random << 13; // xorshift (Marsaglia, 2003)
      random ^= random >>> 7;
      random ^= random << 17;
      int other = (int) (random & mask);
      swap(i, begin + (other >= length ? other - length : other));
    }
  }

  private void sortByHeap(int begin, int end) {
    int size = end - begin;
    for (int i = (size - 1) / 2; i >= 0; i--) {
      siftDown(i, size, begin);
    }
    for (int i = size - 1; i >= 0; i--) {
      swap(begin, begin + i);
      siftDown(0, i, begin);
    }
  }

  private void siftDown(int from, int size, int begin) {
    int root = from;
    for (int child = 2 * root + 1; child < size; child = 2 * root + 1) {
      if (child + 1 < size && less(begin + child, begin + child + 1)) {
        child++;
      }
      if (!less(begin + root, begin + child)) {
        return;
      }
      swap(begin + root, begin + child);
      root = child;
    }
  }
}
