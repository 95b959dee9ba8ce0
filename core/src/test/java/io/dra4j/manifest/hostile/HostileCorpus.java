package io.dra4j.manifest.hostile;

import io.dra4j.manifest.ManifestException;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes hostile files and reads each: with what it takes to write the objects back, and as a
 * cluster. Each has to end in an answer or a {@link ManifestException}; the heap that the JVM was
 * given decides how much memory that may take. A program rather than a test, because of that heap.
 */
public final class HostileCorpus {

  private static final int LONGEST_PROBLEM = 2_500;
  private static final int MOST_PROBLEMS = 201;

  private HostileCorpus() {}

  /**
   * Runs the corpus and prints how many files it had, how large they were and how long it took.
   *
   * @param args the size of each file in bytes, the number of mutated files, and the directory to
   *     write to; then, if not all families are wanted, parts of their names
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    long size = Long.parseLong(args[0]);
    int mutants = Integer.parseInt(args[1]);
    Path file = Path.of(args[2], "hostile");
    List<String> wanted = List.of(args).subList(3, args.length);
    HostileCorpus corpus = new HostileCorpus();
    for (Shape shape : Shapes.all()) {
      if (wanted.isEmpty() || wanted.stream().anyMatch(shape.name()::contains)) {
        shape.write(file, size);
        corpus.read(shape.name(), file);
      }
    }
    for (int seed = 0; seed < mutants; seed++) {
      Files.write(file, Mutants.of(seed));
      corpus.read("mutant " + seed, file);
    }
    corpus.report();
  }

  private int files;
  private long bytes;
  private long nanos;
  private int refused;
  private int failed;
  private String slowest = "none";
  private long slowestNanos;

  private void read(String name, Path file) throws IOException {
    long from = System.nanoTime();
    try {
      if (!isAnswered(file)) {
        refused++;
      }
    } catch (Throwable e) {
      failed++;
      System.out.println("FAILED: " + name + ": " + e);
      StackTraceElement[] trace = e.getStackTrace();
      for (int i = 0; i < Math.min(12, trace.length); i++) {
        System.out.println("    at " + trace[i]);
      }
    }
    long took = System.nanoTime() - from;
    if (Boolean.getBoolean("hostile.verbose")) {
      System.out.printf("%6d ms  %s%n", took / 1_000_000, name);
    }
    if (took > slowestNanos) {
      slowestNanos = took;
      slowest = name;
    }
    files++;
    bytes += Files.size(file);
    nanos += took;
  }

  private static boolean isAnswered(Path file) {
    boolean answered = true;
    try {
      Manifests.snapshotOf(ManifestReader.builder().build().read(file));
    } catch (ManifestException e) {
      check(e);
      answered = false;
    }
    try {
      Manifests.readSnapshot(file);
    } catch (ManifestException e) {
      check(e);
      answered = false;
    }
    return answered;
  }

  /** What is wrong with a file of megabytes is told in a few lines. */
  private static void check(ManifestException e) {
    if (e.problems().isEmpty() || e.problems().size() > MOST_PROBLEMS) {
      throw new IllegalStateException(e.problems().size() + " problems");
    }
    for (ManifestException.Problem problem : e.problems()) {
      int length = problem.toString().length();
      if (length > LONGEST_PROBLEM) {
        throw new IllegalStateException("a problem of " + length + " characters");
      }
    }
  }

  private void report() {
    System.out.printf(
        "hostile: %d files, %d MB, %d refused, %d failed, %.1f s with a heap of %d MB; slowest %.1f s: %s%n",
        files,
        bytes / 1_000_000,
        refused,
        failed,
        nanos / 1e9,
        Runtime.getRuntime().maxMemory() >> 20,
        slowestNanos / 1e9,
        slowest);
    if (failed > 0 || files == 0) {
      System.exit(1);
    }
  }
}
