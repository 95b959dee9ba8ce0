package io.dra4j.cli.cel;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A reintroduced former bug of the evaluation of selectors: one place of one source file is
 * replaced and compiled, and the command runs with that class.
 *
 * @param family the kind of the wrong answers
 * @param source the source file, from the root of the repository
 * @param right the correct text, which occurs once
 * @param wrong the former text, or an equivalent one
 */
record CelMistake(String family, Path source, String right, String wrong) {

  private static final String CEL = "cel/src/main/java/io/dra4j/cel/internal/";

  static CelMistake of(String family, String file, String right, String wrong) {
    return new CelMistake(family, Path.of("..", CEL + file), right, wrong);
  }

  /** The command with the mistake. */
  static final class Command implements AutoCloseable {

    private final URLClassLoader classes;
    private final Method run;

    private Command(URLClassLoader classes) throws ReflectiveOperationException {
      this.classes = classes;
      this.run =
          classes
              .loadClass("io.dra4j.cli.Cli")
              .getDeclaredMethod("runWith", String.class, String[].class);
      this.run.setAccessible(true);
    }

    /** Returns its output lines for lines of input. */
    List<String> answers(String input, String... args) throws ReflectiveOperationException {
      Object answer;
      try {
        answer = run.invoke(null, input, args);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException("the command failed", e.getCause());
      }
      Method out = answer.getClass().getDeclaredMethod("out");
      out.setAccessible(true);
      return ((String) out.invoke(answer)).lines().toList();
    }

    @Override
    public void close() throws IOException {
      classes.close();
    }
  }

  /** The source file with the mistake. */
  String wrongText() throws IOException {
    String text = Files.readString(source);
    int at = text.indexOf(right);
    if (at < 0 || text.indexOf(right, at + 1) >= 0) {
      throw new IllegalStateException(
          "%s: expected once in %s, to be made wrong: %s".formatted(family, source, right));
    }
    return text.substring(0, at) + wrong + text.substring(at + right.length());
  }

  /** Compiles the mistake into a directory and loads the command with it. */
  Command command(Path directory) throws IOException, ReflectiveOperationException {
    Path classes = Files.createDirectories(directory.resolve("classes"));
    Path copy = directory.resolve(source.getFileName());
    Files.writeString(copy, wrongText());
    List<URL> classPath = classPath();
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    int status =
        compiler.run(
            null,
            null,
            null,
            "-cp",
            classPath.stream().map(URL::getPath).collect(Collectors.joining(File.pathSeparator)),
            "-proc:none",
            "-implicit:none",
            "-nowarn",
            "-d",
            classes.toString(),
            copy.toString());
    if (status != 0) {
      throw new IllegalStateException(family + ": does not compile: " + wrong);
    }
    List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
    urls.addAll(classPath);
    return new Command(new OurClasses(urls));
  }

  /** Loads the classes of the project again, the changed classes first, and shares all others. */
  private static final class OurClasses extends URLClassLoader {

    OurClasses(List<URL> urls) {
      super(urls.toArray(new URL[0]), CelMistake.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.dra4j.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : findClass(name);
      }
    }
  }

  /** The class path of this test. */
  private static List<URL> classPath() throws MalformedURLException {
    if (CelMistake.class.getClassLoader() instanceof URLClassLoader loader) {
      return List.of(loader.getURLs());
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls;
  }
}
