package io.dra4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Methods of main code have at most 40 lines and 6 parameters, or {@code @SuppressWarnings} with a
 * comment that gives the reason. The constructor of a record has one parameter for each component.
 */
class MethodSizeTest {

  private static final Path ROOT = Path.of("..");

  private static final int MAX_LINES = 40;
  private static final int MAX_PARAMETERS = 6;

  /** A comment behind the annotation, or on the line below it. */
  private static final Pattern REASON = Pattern.compile("(?s)\\s*// *\\S.*");

  @Test
  void longMethodsHaveAReason() throws IOException {
    List<String> found = new ArrayList<>();
    List<Path> sources = sources();
    assertThat(sources).hasSizeGreaterThan(500);
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources));
      for (CompilationUnitTree unit : task.parse()) {
        new Methods(unit, Trees.instance(task).getSourcePositions(), found).scan(unit, null);
      }
    }
    assertThat(found).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        String name = module.getFileName().toString();
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main) && !name.equals("benchmarks") && !name.equals("examples")) {
          try (Stream<Path> files = Files.walk(main)) {
            files.filter(one -> one.toString().endsWith(".java")).forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }

  /** Looks at the methods and constructors of one file. */
  private static final class Methods extends TreePathScanner<@Nullable Void, @Nullable Void> {

    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> found;
    private final LineMap lines;

    Methods(CompilationUnitTree unit, SourcePositions positions, List<String> found) {
      this.unit = unit;
      this.positions = positions;
      this.found = found;
      this.lines = unit.getLineMap();
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      if (method.getBody() != null) {
        long first = lines.getLineNumber(positions.getStartPosition(unit, method.getBody()));
        long last = lines.getLineNumber(positions.getEndPosition(unit, method.getBody()));
        check(method, "MethodLength", last - first + 1, MAX_LINES, "lines");
      }
      boolean ofRecord =
          getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD
              && method.getName().contentEquals("<init>");
      int parameters = ofRecord ? 0 : method.getParameters().size();
      check(method, "ParameterNumber", parameters, MAX_PARAMETERS, "parameters");
      return super.visitMethod(method, null);
    }

    private void check(MethodTree method, String rule, long size, int most, String unitOfSize) {
      AnnotationTree suppressed = suppression(method, rule);
      String where =
          "%s:%d: %s"
              .formatted(
                  ROOT.relativize(Path.of(unit.getSourceFile().getName())),
                  lines.getLineNumber(positions.getStartPosition(unit, method)),
                  method.getName());
      if (suppressed == null && size > most) {
        found.add(
            "%s has %d %s, more than %d; split it, or give the reason: @SuppressWarnings(\"%s\") // ..."
                .formatted(where, size, unitOfSize, most, rule));
      } else if (suppressed != null && size <= most) {
        found.add(
            "%s has %d %s; remove @SuppressWarnings(\"%s\")"
                .formatted(where, size, unitOfSize, rule));
      } else if (suppressed != null && !hasReason(suppressed)) {
        found.add("%s: no reason behind @SuppressWarnings(\"%s\")".formatted(where, rule));
      }
    }

    private static @Nullable AnnotationTree suppression(MethodTree method, String rule) {
      return method.getModifiers().getAnnotations().stream()
          .filter(one -> one.getArguments().toString().contains('"' + rule + '"'))
          .findFirst()
          .orElse(null);
    }

    private boolean hasReason(AnnotationTree annotation) {
      try {
        CharSequence text = unit.getSourceFile().getCharContent(true);
        int end = (int) positions.getEndPosition(unit, annotation);
        return REASON.matcher(text.subSequence(end, text.length())).matches();
      } catch (IOException e) {
        throw new IllegalStateException(unit.getSourceFile().getName(), e);
      }
    }
  }
}
