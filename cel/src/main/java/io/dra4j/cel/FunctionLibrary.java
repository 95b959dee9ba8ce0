package io.dra4j.cel;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.Collection;

/**
 * Functions added to CEL: what the checker has to know about them, and what the runtime calls.
 *
 * <p>All overloads of a function must be in one library, since the runtime takes the first library
 * that has the function when the types of the arguments are known only to it.
 */
final class FunctionLibrary implements CelCompilerLibrary, CelRuntimeLibrary {

  private final ImmutableListMultimap<String, CelOverloadDecl> declarations;
  private final ImmutableListMultimap<String, CelFunctionBinding> bindings;

  private FunctionLibrary(Builder builder) {
    this.declarations = builder.declarations.build();
    this.bindings = builder.bindings.build();
  }

  @Override
  public void setCheckerOptions(CelCheckerBuilder checker) {
    declarations
        .asMap()
        .forEach(
            (function, overloads) ->
                checker.addFunctionDeclarations(
                    CelFunctionDecl.newFunctionDeclaration(function, overloads)));
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder runtime) {
    bindings
        .asMap()
        .forEach((function, overloads) -> runtime.addFunctionBindings(bind(function, overloads)));
  }

  /** Overloads that a Java class cannot tell apart share an implementation, the first one. */
  private static ImmutableSet<CelFunctionBinding> bind(
      String function, Collection<CelFunctionBinding> overloads) {
    ImmutableSet.Builder<CelFunctionBinding> distinct = ImmutableSet.builder();
    ImmutableSet.Builder<CelFunctionBinding> all = ImmutableSet.builder();
    ImmutableList.Builder<ImmutableList<Class<?>>> seen = ImmutableList.builder();
    for (CelFunctionBinding overload : overloads) {
      ImmutableList<Class<?>> types = ImmutableList.copyOf(overload.getArgTypes());
      (seen.build().contains(types) ? all : distinct).add(overload);
      seen.add(types);
    }
    return all.addAll(CelFunctionBinding.fromOverloads(function, distinct.build())).build();
  }

  /** Collects functions. */
  static final class Builder {

    private final ImmutableListMultimap.Builder<String, CelOverloadDecl> declarations =
        ImmutableListMultimap.builder();
    private final ImmutableListMultimap.Builder<String, CelFunctionBinding> bindings =
        ImmutableListMultimap.builder();

    /** Adds {@code function(argument)}. */
    <T> Builder global(
        String function,
        String overload,
        CelType result,
        CelType type,
        Class<T> javaType,
        CelFunctionOverload.Unary<T> body) {
      declarations.put(function, CelOverloadDecl.newGlobalOverload(overload, result, type));
      bindings.put(function, CelFunctionBinding.from(overload, javaType, body));
      return this;
    }

    /** Adds {@code function(first, second)}. */
    <T, U> Builder global(
        String function,
        String overload,
        CelType result,
        CelType type1,
        Class<T> javaType1,
        CelType type2,
        Class<U> javaType2,
        CelFunctionOverload.Binary<T, U> body) {
      declarations.put(function, CelOverloadDecl.newGlobalOverload(overload, result, type1, type2));
      bindings.put(function, CelFunctionBinding.from(overload, javaType1, javaType2, body));
      return this;
    }

    /** Adds {@code target.function()}. */
    <T> Builder member(
        String function,
        String overload,
        CelType result,
        CelType type,
        Class<T> javaType,
        CelFunctionOverload.Unary<T> body) {
      declarations.put(function, CelOverloadDecl.newMemberOverload(overload, result, type));
      bindings.put(function, CelFunctionBinding.from(overload, javaType, body));
      return this;
    }

    /** Adds {@code target.function(argument)}. */
    <T, U> Builder member(
        String function,
        String overload,
        CelType result,
        CelType type1,
        Class<T> javaType1,
        CelType type2,
        Class<U> javaType2,
        CelFunctionOverload.Binary<T, U> body) {
      declarations.put(function, CelOverloadDecl.newMemberOverload(overload, result, type1, type2));
      bindings.put(function, CelFunctionBinding.from(overload, javaType1, javaType2, body));
      return this;
    }

    /** Adds what cel-java declares itself. */
    Builder binding(String function, CelFunctionBinding binding) {
      bindings.put(function, binding);
      return this;
    }

    /** Adds {@code target.function(arguments)} with more than one argument. */
    Builder member(
        String function, CelType result, ImmutableList<CelType> types, CelFunctionBinding binding) {
      declarations.put(
          function, CelOverloadDecl.newMemberOverload(binding.getOverloadId(), result, types));
      bindings.put(function, binding);
      return this;
    }

    FunctionLibrary build() {
      return new FunctionLibrary(this);
    }
  }
}
