package io.dra4j.testkit;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Resolves parameters that are annotated with {@link CapturedHostTree}. */
final class CapturedHostExtension implements ParameterResolver {

  private static final ExtensionContext.Namespace DIRECTORIES =
      ExtensionContext.Namespace.create(CapturedHostExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.isAnnotated(CapturedHostTree.class)
        && parameter.getParameter().getType() == Path.class;
  }

  @Override
  public Path resolveParameter(ParameterContext parameter, ExtensionContext test) {
    String name = parameter.findAnnotation(CapturedHostTree.class).orElseThrow().value();
    try {
      Path root = directory("dra4j-" + name + "-");
      // The store deletes its values when the context ends, also after a failure.
      test.getStore(DIRECTORIES).put(root, new Directory(root));
      CapturedHost.named(name).expandTo(root);
      return root;
    } catch (IOException | IllegalArgumentException e) {
      throw new ParameterResolutionException("cannot write the host " + name, e);
    }
  }

  /** Creates a directory, in memory if possible: thousands of tiny files are slow on many disks. */
  private static Path directory(String prefix) throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isDirectory(memory) && Files.isWritable(memory)
        ? Files.createTempDirectory(memory, prefix)
        : Files.createTempDirectory(prefix);
  }

  private record Directory(Path root) implements AutoCloseable {

    @Override
    public void close() throws IOException {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException problem)
                throws IOException {
              Files.delete(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    }
  }
}
