package io.dra4j.cel.internal.text;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import org.jspecify.annotations.Nullable;

/** A cache of the last regular expressions of a compiler, limited in bytes. Thread-safe. */
public final class Patterns {

  private static final long FEW = 1 << 20;
  private static final int BYTES_PER_ENTRY = 200;

  private final long maxBytes;
  private final Unicode unicode;
  private volatile @Nullable Cache<String, Regex> known; // made when the first one is needed

  /** Creates a cache for one evaluation. */
  public Patterns(Unicode unicode) {
    this(FEW, unicode);
  }

  /** Creates a cache of a number of bytes. */
  public Patterns(long maxBytes, Unicode unicode) {
    this.maxBytes = maxBytes;
    this.unicode = unicode;
  }

  /**
   * Returns an expression.
   *
   * @param check looked at while it is compiled
   * @throws RegexSyntaxException if it is none; that is not remembered
   */
  public Regex get(String expression, TimeCheck check) throws RegexSyntaxException {
    Cache<String, Regex> cache = cache();
    Regex regex = cache.getIfPresent(expression);
    if (regex == null) {
      regex = Regex.compile(expression, unicode, check);
      cache.put(expression, regex);
    }
    return regex;
  }

  private Cache<String, Regex> cache() {
    Cache<String, Regex> cache = known;
    if (cache == null) {
      synchronized (this) {
        cache = known;
        if (cache == null) {
          cache =
              CacheBuilder.newBuilder()
                  .concurrencyLevel(1) // each level has its own part of the weight
                  .maximumWeight(maxBytes)
                  .<String, Regex>weigher(
                      (text, regex) -> BYTES_PER_ENTRY + 2 * text.length() + regex.weight())
                  .build();
          known = cache;
        }
      }
    }
    return cache;
  }
}
