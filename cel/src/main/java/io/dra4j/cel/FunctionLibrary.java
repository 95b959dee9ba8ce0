package io.dra4j.cel;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the functions of {@link Functions} do, for both evaluators: our own and the runtime of
 * cel-java.
 */
final class FunctionLibrary implements CelRuntimeLibrary {

  private final Supplier<Tables> tables;

  /** The overloads by function, in the order of their declaration, and by identifier. */
  private record Tables(
      ImmutableListMultimap<String, Implementation> overloads,
      ImmutableMap<String, Implementation> byId) {}

  /**
   * Makes a library.
   *
   * @param functions adds them; waits for the first expression that calls one, because it takes a
   *     sixth of the time to a first match, and most selectors have operators only
   */
  FunctionLibrary(Consumer<Builder> functions) {
    this.tables =
        Suppliers.memoize(
            () -> {
              Builder library = new Builder();
              functions.accept(library);
              return library.tables();
            });
  }

  /** Makes the functions, if that has not been done. */
  void load() {
    Tables unused = tables.get();
  }

  /** The implementation of an overload. */
  @Nullable Implementation overload(String id) {
    return tables.get().byId().get(id);
  }

  /** The overloads of a function in the order of their declaration. */
  ImmutableList<Implementation> overloads(String function) {
    return tables.get().overloads().get(function);
  }

  @Override
  public void setRuntimeOptions(CelRuntimeBuilder runtime) {
    tables
        .get()
        .overloads()
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
      (known ? all : distinct).add(overload.toBinding());
      seen.add(overload.types());
    }
    return all.addAll(CelFunctionBinding.fromOverloads(function, distinct.build())).build();
  }

  /** Collects implementations; a later one takes the place of an earlier one. */
  static final class Builder {

    private final Map<String, Implementation> byId = new LinkedHashMap<>();

    /** Adds an overload with one argument. */
    <T> Builder add(String overload, Class<T> type, CelFunctionOverload.Unary<T> body) {
      return add(Implementation.of(overload, type, body));
    }

    /** Adds an overload with two arguments. */
    <T, U> Builder add(
        String overload, Class<T> type1, Class<U> type2, CelFunctionOverload.Binary<T, U> body) {
      return add(Implementation.of(overload, type1, type2, body));
    }

    /** Adds an overload with any number of arguments. */
    Builder add(String overload, ImmutableList<Class<?>> types, CelFunctionOverload body) {
      return add(Implementation.of(overload, types, body));
    }

    Builder add(Implementation overload) {
      byId.put(overload.id(), overload);
      return this;
    }

    private Tables tables() {
      Map<String, Implementation> bodies = new LinkedHashMap<>();
      ImmutableListMultimap.Builder<String, Implementation> overloads =
          ImmutableListMultimap.builder();
      for (Functions.Function function : Functions.all().values()) {
        for (Functions.Overload declared : function.overloads()) {
          Implementation body = byId.get(declared.id());
          if (body != null) { // operators are built into the evaluators
            // These take any list, as in cel-go.
            boolean sorts = function.name().contains("sort") || function.name().equals("flatten");
            body = sorts ? body : body.declared(declared.parameters());
            bodies.put(body.id(), body);
            overloads.put(function.name(), body);
          }
        }
      }
      byId.forEach(bodies::putIfAbsent); // declared only where Kubernetes is not
      return new Tables(overloads.build(), ImmutableMap.copyOf(bodies));
    }
  }
}
