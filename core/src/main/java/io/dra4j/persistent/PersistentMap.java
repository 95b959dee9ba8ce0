package io.dra4j.persistent;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map. An {@link Editor} creates a changed map, which shares all entries with the old
 * map except those on the path to a change: about twenty of a million.
 *
 * <p>A balanced tree (AVL) in the order of hashes, then of keys: comparing hashes reads no text,
 * and unlike in a hash trie, the worst case does not depend on the names.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class PersistentMap<K extends Comparable<K>, V> {

  /** An entry. Only the editor that created it may change it, until the editor is done. */
  private static final class Tree<K, V> {
    final int hash;
    final K key;
    V value;
    @Nullable Tree<K, V> left;
    @Nullable Tree<K, V> right;
    private final Object owner;
    byte height; // at most 1.44 log2 of the number of entries

    @SuppressWarnings("ParameterNumber") // the fields of an entry, which a copy has as well
    Tree(
        int hash,
        K key,
        V value,
        @Nullable Tree<K, V> left,
        @Nullable Tree<K, V> right,
        int height,
        Object owner) {
      this.hash = hash;
      this.key = key;
      this.value = value;
      this.left = left;
      this.right = right;
      this.height = (byte) height;
      this.owner = owner;
    }

    Tree<K, V> ownedBy(Object editor) {
      return owner == editor ? this : new Tree<>(hash, key, value, left, right, height, editor);
    }
  }

  private final @Nullable Tree<K, V> root;
  private final int size;
  private final Object version = new Object();

  private PersistentMap(@Nullable Tree<K, V> root, int size) {
    this.root = root;
    this.size = size;
  }

  /**
   * {@return the empty map}
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   */
  public static <K extends Comparable<K>, V> PersistentMap<K, V> empty() {
    return new PersistentMap<>(null, 0);
  }

  /** {@return the number of entries} */
  public int size() {
    return size;
  }

  /** {@return the same object for the same map, to compare maps without a reference to entries} */
  public Object version() {
    return version;
  }

  /**
   * {@return the value of a key, or null if there is none}
   *
   * @param key the key
   */
  public @Nullable V get(K key) {
    return find(root, key);
  }

  /**
   * Calls the action with each value, in any order.
   *
   * @param action the action
   */
  public void forEach(Consumer<? super V> action) {
    walk(root, action);
  }

  /** {@return an editor that begins with this map; this map does not change} */
  public Editor<K, V> edit() {
    return new Editor<>(this);
  }

  private static <K, V> void walk(@Nullable Tree<K, V> tree, Consumer<? super V> action) {
    if (tree != null) {
      walk(tree.left, action);
      action.accept(tree.value);
      walk(tree.right, action);
    }
  }

  /** Compares by hash, and keys of the same hash by the keys themselves. */
  private static <K extends Comparable<K>> int order(int hash, K key, Tree<K, ?> tree) {
    return hash != tree.hash ? Integer.compare(hash, tree.hash) : key.compareTo(tree.key);
  }

  private static <K extends Comparable<K>, V> @Nullable V find(@Nullable Tree<K, V> root, K key) {
    int hash = key.hashCode();
    Tree<K, V> tree = root;
    while (tree != null) {
      int order = order(hash, key, tree);
      if (order == 0) {
        return tree.value;
      }
      tree = order < 0 ? tree.left : tree.right;
    }
    return null;
  }

  /**
   * Creates a changed map. The editor changes the entries that it created itself in place, so that
   * many changes at once cost as much as in a mutable map. Not thread-safe; the original map does
   * not change.
   *
   * @param <K> the type of the keys
   * @param <V> the type of the values
   */
  public static final class Editor<K extends Comparable<K>, V> {

    private final PersistentMap<K, V> before;
    private @Nullable Tree<K, V> root;
    private Object owner = new Object();
    private int size;

    private Editor(PersistentMap<K, V> before) {
      this.before = before;
      this.root = before.root;
      this.size = before.size;
    }

    /**
     * {@return the value of a key, or null if there is none}
     *
     * @param key the key
     */
    public @Nullable V get(K key) {
      return find(root, key);
    }

    /**
     * Calls the action with each value, in any order. The action must not change the map.
     *
     * @param action the action
     */
    public void forEach(Consumer<? super V> action) {
      walk(root, action);
    }

    /**
     * Puts an entry, and replaces an entry with the same key.
     *
     * @param key its key
     * @param value its value
     */
    public void put(K key, V value) {
      root = put(root, key, value);
    }

    /**
     * Removes an entry, if it is there.
     *
     * @param key its key
     */
    public void remove(K key) {
      if (get(key) != null) {
        root = remove(root, key);
        size--;
      }
    }

    /** {@return the map with the changes up to now; the original one if nothing has changed} */
    public PersistentMap<K, V> done() {
      owner = new Object();
      return root == before.root ? before : new PersistentMap<>(root, size);
    }

    private Tree<K, V> put(@Nullable Tree<K, V> tree, K key, V value) {
      if (tree == null) {
        size++;
        return new Tree<>(key.hashCode(), key, value, null, null, 1, owner);
      }
      int order = order(key.hashCode(), key, tree);
      if (order == 0) {
        if (tree.value == value) {
          return tree;
        }
        Tree<K, V> mine = tree.ownedBy(owner);
        mine.value = value;
        return mine;
      }
      Tree<K, V> child = order < 0 ? tree.left : tree.right;
      Tree<K, V> changed = put(child, key, value);
      if (changed == child && changed.owner != owner) {
        return tree; // the same value
      }
      Tree<K, V> mine = tree.ownedBy(owner);
      if (order < 0) {
        mine.left = changed;
      } else {
        mine.right = changed;
      }
      return balanced(mine);
    }

    /** Removes a key, which must be present. */
    private @Nullable Tree<K, V> remove(@Nullable Tree<K, V> tree, K key) {
      if (tree == null) {
        return null;
      }
      int order = order(key.hashCode(), key, tree);
      if (order != 0) {
        Tree<K, V> mine = tree.ownedBy(owner);
        if (order < 0) {
          mine.left = remove(tree.left, key);
        } else {
          mine.right = remove(tree.right, key);
        }
        return balanced(mine);
      }
      Tree<K, V> left = tree.left;
      Tree<K, V> right = tree.right;
      if (left == null || right == null) {
        return left == null ? right : left;
      }
      Tree<K, V> next = right;
      while (next.left != null) {
        next = next.left;
      }
      return balanced(
          new Tree<>(next.hash, next.key, next.value, left, remove(right, next.key), 0, owner));
    }

    /** Restores the balance of a tree of this editor whose children differ by at most two. */
    private Tree<K, V> balanced(Tree<K, V> tree) {
      Tree<K, V> left = tree.left;
      Tree<K, V> right = tree.right;
      int difference = height(left) - height(right);
      if (difference > 1 && left != null) {
        if (height(left.left) < height(left.right)) {
          tree.left = rotatedLeft(left.ownedBy(owner));
        }
        return rotatedRight(tree);
      }
      if (difference < -1 && right != null) {
        if (height(right.right) < height(right.left)) {
          tree.right = rotatedRight(right.ownedBy(owner));
        }
        return rotatedLeft(tree);
      }
      tree.height = (byte) (1 + Math.max(height(left), height(right)));
      return tree;
    }

    private Tree<K, V> rotatedRight(Tree<K, V> tree) {
      Tree<K, V> left = tree.left;
      if (left == null) {
        return tree;
      }
      Tree<K, V> top = left.ownedBy(owner);
      tree.left = top.right;
      setHeight(tree);
      top.right = tree;
      setHeight(top);
      return top;
    }

    private Tree<K, V> rotatedLeft(Tree<K, V> tree) {
      Tree<K, V> right = tree.right;
      if (right == null) {
        return tree;
      }
      Tree<K, V> top = right.ownedBy(owner);
      tree.right = top.left;
      setHeight(tree);
      top.left = tree;
      setHeight(top);
      return top;
    }

    private static <K, V> void setHeight(Tree<K, V> tree) {
      tree.height = (byte) (1 + Math.max(height(tree.left), height(tree.right)));
    }

    private static int height(@Nullable Tree<?, ?> tree) {
      return tree == null ? 0 : tree.height;
    }
  }

  /**
   * The measured height of the tree, for tests: checks the recorded heights, and that the heights
   * of the children of each tree differ by at most one.
   */
  int height() {
    return height(root);
  }

  private static int height(@Nullable Tree<?, ?> tree) {
    if (tree == null) {
      return 0;
    }
    int left = height(tree.left);
    int right = height(tree.right);
    if (Math.abs(left - right) > 1) {
      throw new IllegalStateException("trees of heights " + left + " and " + right + " in one");
    }
    int measured = 1 + Math.max(left, right);
    if (measured != tree.height) {
      throw new IllegalStateException("a tree of height " + measured + " says " + tree.height);
    }
    return measured;
  }
}
