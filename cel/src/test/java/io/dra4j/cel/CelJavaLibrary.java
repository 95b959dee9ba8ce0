package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import io.dra4j.cel.internal.eval.EvaluationLimit;
import io.dra4j.cel.internal.eval.Frame;
import io.dra4j.cel.internal.library.FunctionLibrary;
import io.dra4j.cel.internal.library.Implementation;
import io.dra4j.cel.internal.text.Patterns;
import io.dra4j.cel.internal.text.Unicode;
import java.util.Collection;

/** The functions of a library for the runtime of cel-java. */
final class CelJavaLibrary implements CelRuntimeLibrary {

  private final FunctionLibrary library;

  CelJavaLibrary(FunctionLibrary library) {
    this.library = library;
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder runtime) {
    library
        .all()
        .asMap()
        .forEach((function, bodies) -> runtime.addFunctionBindings(bind(function, bodies)));
  }

  /** Overloads that a Java class cannot tell apart share an implementation, the first one. */
  private static ImmutableSet<CelFunctionBinding> bind(
      String function, Collection<Implementation> overloads) {
    ImmutableSet.Builder<CelFunctionBinding> distinct = ImmutableSet.builder();
    ImmutableSet.Builder<CelFunctionBinding> all = ImmutableSet.builder();
    ImmutableList.Builder<ImmutableList<Class<?>>> seen = ImmutableList.builder();
    for (Implementation overload : overloads) {
      boolean known = seen.build().contains(overload.types());
      (known ? all : distinct)
          .add(
              CelFunctionBinding.from(
                  overload.id(),
                  overload.types(),
                  args ->
                      overload.apply(
                          args, new Frame(EvaluationLimit.STANDARD, new Patterns(Unicode.V15)))));
      seen.add(overload.types());
    }
    return all.addAll(CelFunctionBinding.fromOverloads(function, distinct.build())).build();
  }
}
