package io.dra4j.linux;

/** A program that calls the kernel twice and prints what came of it. */
final class LoadingProbe {

  private LoadingProbe() {}

  /** Prints one line for each try. */
  public static void main(String[] arguments) {
    for (int i = 0; i < 2; i++) {
      try {
        System.out.println("close: " + NativeAccess.system().close(-1));
      } catch (Throwable e) { // its name is what the test looks at
        System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
      }
    }
  }
}
