package io.dra4j.cel.internal.library;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import dev.cel.runtime.CelFunctionOverload;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The implementations of the functions of {@link Functions}, and their costs. */
public final class FunctionLibrary {

  private final Supplier<Tables> tables;

  /**
   * The facts about functions.
   *
   * @param overloads the implementations by function, in the order of declaration
   * @param byId the same by overload
   * @param costs by overload
   * @param ambiguous by function, of calls that may reach several overloads
   */
  private record Tables(
      ImmutableListMultimap<String, Implementation> overloads,
      ImmutableMap<String, Implementation> byId,
      ImmutableMap<String, FunctionCost> costs,
      ImmutableMap<String, CallCost> ambiguous) {}

  /**
   * Creates a library.
   *
   * @param functions adds them; waits for the first expression that calls one, because it takes a
   *     sixth of the time to a first match, and most selectors have operators only
   */
  public FunctionLibrary(Consumer<Builder> functions) {
    this.tables =
        Suppliers.memoize(
            () -> {
              Builder library = new Builder();
              functions.accept(library);
              return library.tables();
            });
  }

  /** Loads the functions, unless this was done already. */
  public void load() {
    Tables unused = tables.get();
  }

  /** Returns the implementation of an overload. */
  public @Nullable Implementation overload(String id) {
    return tables.get().byId().get(id);
  }

  /** Returns the overloads of a function in the order of their declaration. */
  public ImmutableList<Implementation> overloads(String function) {
    return tables.get().overloads().get(function);
  }

  /** Returns all overloads by function. */
  public ImmutableListMultimap<String, Implementation> all() {
    return tables.get().overloads();
  }

  /** Returns the cost of an overload, or null if it is not known here. */
  public @Nullable FunctionCost cost(String overload) {
    return tables.get().costs().get(overload);
  }

  /**
   * Returns the cost of the calls of a node.
   *
   * @param overload its only possible overload, or an empty text if there are several
   */
  public CallCost callCost(String function, String overload) {
    if (overload.isEmpty()) {
      return tables.get().ambiguous().getOrDefault(function, CallCost.ONE);
    }
    FunctionCost cost = cost(overload);
    return cost == null ? CallCost.ONE : cost.call();
  }

  /** Collects implementations; a later one takes the place of an earlier one. */
  public static final class Builder {

    private final Map<String, Implementation> byId = new LinkedHashMap<>();
    private final Map<String, FunctionCost> costs = new HashMap<>();
    private final Map<String, CallCost> ambiguous = new HashMap<>();

    /** Adds an overload with one argument. */
    public <T> Builder add(
        String overload, FunctionCost cost, Class<T> type, CelFunctionOverload.Unary<T> body) {
      return add(cost, Implementation.of(overload, type, body));
    }

    /** Adds an overload with two arguments. */
    public <T, U> Builder add(
        String overload,
        FunctionCost cost,
        Class<T> type1,
        Class<U> type2,
        CelFunctionOverload.Binary<T, U> body) {
      return add(cost, Implementation.of(overload, type1, type2, body));
    }

    /** Adds an overload with any number of arguments. */
    public Builder add(
        String overload,
        FunctionCost cost,
        ImmutableList<Class<?>> types,
        CelFunctionOverload body) {
      return add(cost, Implementation.of(overload, types, body));
    }

    /** Adds an overload that takes long for its cost. */
    public Builder addLengthy(
        String overload,
        FunctionCost cost,
        ImmutableList<Class<?>> types,
        Implementation.Lengthy body) {
      return add(cost, Implementation.lengthy(overload, types, body));
    }

    private Builder add(FunctionCost cost, Implementation overload) {
      byId.put(overload.id(), overload);
      costs.put(overload.id(), cost);
      return this;
    }

    /** Adds an overload that expressions may name, and that there is nothing to call with. */
    public Builder addWithoutBody(String overload, FunctionCost cost) {
      costs.put(overload, cost);
      return this;
    }

    /** Sets the cost of calls with several possible overloads; by default their equal cost or 1. */
    public Builder ambiguous(String function, CallCost cost) {
      ambiguous.put(function, cost);
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
        ambiguous.computeIfAbsent(function.name(), name -> commonCost(function));
      }
      byId.forEach(bodies::putIfAbsent); // declared only where Kubernetes is not
      return new Tables(
          overloads.build(),
          ImmutableMap.copyOf(bodies),
          ImmutableMap.copyOf(costs),
          ImmutableMap.copyOf(ambiguous));
    }

    private CallCost commonCost(Functions.Function function) {
      CallCost common = null;
      for (Functions.Overload overload : function.overloads()) {
        CallCost cost = costs.getOrDefault(overload.id(), FunctionCost.ONE).call();
        if (common != null && !common.equals(cost)) {
          return CallCost.ONE;
        }
        common = cost;
      }
      return common == null ? CallCost.ONE : common;
    }
  }
}
