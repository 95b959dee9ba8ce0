package io.dra4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.allocation.Allocator;
import io.dra4j.allocation.ClaimAllocation;
import io.dra4j.allocation.ClusterQuery;
import io.dra4j.allocation.explanation.PartialResult;
import io.dra4j.allocation.explanation.Suggestion;
import io.dra4j.allocation.policy.AllocationPolicy;
import io.dra4j.common.Budget;
import io.dra4j.inventory.DeviceInventory;
import io.dra4j.inventory.NodeDevices;
import io.dra4j.inventory.PoolId;
import io.dra4j.manifest.ManifestFinding;
import io.dra4j.manifest.ManifestReader;
import io.dra4j.manifest.ManifestWriter;
import io.dra4j.manifest.validation.ManifestValidator;
import io.dra4j.manifest.validation.Validation;
import io.dra4j.model.AllocationResult;
import io.dra4j.model.ClusterSnapshot;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.model.KubernetesObject;
import io.dra4j.model.Node;
import io.dra4j.model.Pod;
import io.dra4j.model.Quantity;
import io.dra4j.model.QuantitySum;
import io.dra4j.model.ResourceClaim;
import io.dra4j.placement.bandwidth.LinkModelException;
import io.dra4j.placement.gang.GangMember;
import io.dra4j.placement.gang.GangPlacement;
import io.dra4j.scheduling.ClusterPods;
import io.dra4j.scheduling.ClusterRun;
import io.dra4j.scheduling.NodeRefusals;
import io.dra4j.scheduling.PodQueue;
import io.dra4j.scheduling.defragmentation.MovablePod;
import io.dra4j.scheduling.planning.ClusterChange;
import io.dra4j.scheduling.reservation.Reservation;
import io.dra4j.scheduling.reservation.Reservations;
import io.dra4j.selector.CompiledAttribute;
import io.dra4j.selector.CompiledSelector;
import io.dra4j.selector.SelectorCompiler;
import io.dra4j.selector.SelectorException;
import io.dra4j.topology.HostTopology;
import io.dra4j.topology.HostTopologyBuilder;
import io.dra4j.topology.PathMatrix;
import io.dra4j.topology.PathTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Null is refused where it is handed over, by a message that names what was null: looked for by
 * reflection, so that a new record or method cannot forget it.
 */
class NullDoorsTest {

  /** What users make, and call, outside of the model. Results are made by dra4j alone. */
  private static final List<Class<?>> DOORS =
      List.of(
          Allocator.class,
          Allocator.Builder.class,
          AllocationPolicy.Choice.class,
          AllocationPolicy.Choice.Devices.class,
          AllocationPolicy.Choice.Faulty.class,
          AllocationPolicy.Choice.Refused.class,
          ClaimAllocation.class,
          PartialResult.class,
          Suggestion.class,
          PoolId.class,
          ManifestFinding.class,
          ManifestReader.class,
          ManifestWriter.class,
          ManifestValidator.class,
          GangMember.class,
          ClusterRun.class,
          MovablePod.class,
          PodQueue.class,
          ClusterChange.class,
          Reservations.class);

  /** What only dra4j makes, of more than an example can have. */
  private static final Set<Class<?>> WITHOUT_EXAMPLE =
      Set.of(
          NodeDevices.class,
          Validation.class,
          LinkModelException.class,
          NodeRefusals.class,
          ClusterPods.Trial.class,
          Reservation.class,
          PathMatrix.class,
          PathTree.class);

  /** What takes null because equality and order of Java do. */
  private static final Set<String> NOT_ASKED = Set.of("equals", "valueOf", "compareTo");

  /** Values by their types. Those that are not here are made of what is. */
  private static final Map<Class<?>, Object> SAMPLES = new LinkedHashMap<>();

  static {
    SAMPLES.put(int.class, 1);
    SAMPLES.put(long.class, 1L);
    SAMPLES.put(double.class, 1.0);
    SAMPLES.put(boolean.class, true);
    SAMPLES.put(Integer.class, 1);
    SAMPLES.put(Long.class, 1L);
    SAMPLES.put(Boolean.class, true);
    SAMPLES.put(String.class, "1");
    SAMPLES.put(Object.class, "1");
    SAMPLES.put(List.class, List.of());
    SAMPLES.put(Collection.class, List.of());
    SAMPLES.put(Iterable.class, List.of());
    SAMPLES.put(Set.class, Set.of());
    SAMPLES.put(Map.class, Map.of());
    SAMPLES.put(Optional.class, Optional.empty());
    SAMPLES.put(Duration.class, Duration.ofSeconds(1));
    SAMPLES.put(Path.class, Path.of("no", "such", "file"));
    SAMPLES.put(InputStream.class, InputStream.nullInputStream());
    SAMPLES.put(OutputStream.class, OutputStream.nullOutputStream());
    SAMPLES.put(Budget.class, Budget.unlimited());
    SAMPLES.put(Quantity.class, Quantity.of(1));
    SAMPLES.put(QuantitySum.class, QuantitySum.of(Quantity.of(1)));
    SAMPLES.put(DeviceAttribute.class, DeviceAttribute.of(1));
    SAMPLES.put(Device.class, Device.named("d").build());
    SAMPLES.put(ResourceClaim.class, ResourceClaim.named("c").build());
    SAMPLES.put(KubernetesObject.class, Node.named("n"));
    SAMPLES.put(Pod.class, Pod.named("ns", "p").build());
    SAMPLES.put(AllocationResult.class, AllocationResult.builder().build());
    SAMPLES.put(DeviceInventory.class, DeviceInventory.empty());
    SAMPLES.put(ClusterSnapshot.class, ClusterSnapshot.of(List.of()));
    SAMPLES.put(SelectorCompiler.class, new NoCompiler());
    SAMPLES.put(Supplier.class, (Supplier<String>) () -> "id");
    Allocator allocator = Allocator.builder().selectors(new NoCompiler()).build();
    SAMPLES.put(Allocator.class, allocator);
    SAMPLES.put(Allocator.Builder.class, Allocator.builder());
    SAMPLES.put(ManifestReader.class, ManifestReader.builder().build());
    SAMPLES.put(ManifestValidator.class, ManifestValidator.builder(new NoCompiler()).build());
    SAMPLES.put(GangPlacement.class, GangPlacement.builder(allocator).build());
    SAMPLES.put(ClusterRun.class, ClusterRun.builder(allocator).build());
    SAMPLES.put(Reservations.class, new Reservations(allocator, DeviceInventory.empty()));
    SAMPLES.put(
        ClusterQuery.class, allocator.query(DeviceInventory.empty(), List.<ResourceClaim>of()));
    SAMPLES.put(HostTopologyBuilder.class, HostTopology.builder());
    SAMPLES.put(HostTopology.class, HostTopology.builder().build());
    SAMPLES.put(PodQueue.class, PodQueue.of(List.of()));
  }

  @Test
  void everyConstructorFactoryAndBuilderOfTheModelRefusesNullByName() throws Exception {
    List<Class<?>> model = publicClassesOf("io/dra4j/model");
    assertThat(model).hasSizeGreaterThan(80);

    assertThat(acceptingNull(model, door -> true)).isEmpty();
  }

  @Test
  void soDoWhatUsersMakeAndCallElsewhere() throws Exception {
    assertThat(acceptingNull(DOORS, door -> true)).isEmpty();
  }

  @Test
  void soDoesEveryMethodThatUsersMayCall() throws Exception {
    Set<String> directories = exportedDirectories();
    assertThat(directories)
        .contains("io/dra4j/allocation", "io/dra4j/topology")
        .hasSizeGreaterThan(20);
    List<Class<?>> classes = new ArrayList<>();
    for (String directory : directories) {
      classes.addAll(publicClassesOf(directory));
    }
    classes.removeIf(WITHOUT_EXAMPLE::contains);

    assertThat(acceptingNull(classes, Method.class::isInstance)).isEmpty();
  }

  private static Set<String> acceptingNull(List<Class<?>> classes, Predicate<Executable> asks)
      throws Exception {
    Set<String> wrong = new TreeSet<>();
    int asked = 0;
    for (Class<?> type : classes) {
      for (Executable door : doorsOf(type).stream().filter(asks).toList()) {
        Object target = isStatic(door) ? null : sample(type);
        if (!isStatic(door) && target == null) {
          wrong.add(type.getName() + ": this test has no example of it");
          continue;
        }
        for (int i = 0; i < door.getParameterCount(); i++) {
          if (refusesNull(door, i)) {
            asked++;
            String answer = answerToNull(door, target, i);
            if (!answer.isEmpty()) {
              wrong.add(nameOf(door, i) + ": " + answer);
            }
          }
        }
      }
    }
    assertThat(asked).as("parameters").isGreaterThan(50);
    return wrong;
  }

  /** Constructors, and methods but those of {@link Object}: builders and factories among them. */
  private static List<Executable> doorsOf(Class<?> type) {
    List<Executable> doors = new ArrayList<>();
    if (!Modifier.isAbstract(type.getModifiers())) {
      doors.addAll(List.of(type.getConstructors()));
    }
    for (Method method : type.getDeclaredMethods()) {
      boolean own = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
      boolean inherited =
          type.isInterface() && !isStatic(method); // somebody else's, or its records'
      if (own && !inherited && !NOT_ASKED.contains(method.getName())) {
        doors.add(method);
      }
    }
    return doors;
  }

  private static boolean isStatic(Executable door) {
    return door instanceof Constructor || Modifier.isStatic(door.getModifiers());
  }

  private static boolean refusesNull(Executable door, int parameter) {
    return !door.getParameterTypes()[parameter].isPrimitive() && !isNullable(door, parameter);
  }

  private static boolean isNullable(Executable door, int parameter) {
    AnnotatedType type = door.getAnnotatedParameterTypes()[parameter];
    return type.isAnnotationPresent(Nullable.class);
  }

  /** Empty if null was refused by name. */
  private static String answerToNull(Executable door, @Nullable Object target, int parameter)
      throws Exception {
    Class<?>[] types = door.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = i == parameter || isNullable(door, i) ? null : sample(types[i]);
    }
    try {
      if (door instanceof Constructor<?> constructor) {
        constructor.newInstance(arguments);
      } else {
        ((Method) door).invoke(target, arguments);
      }
      return "accepted";
    } catch (InvocationTargetException e) {
      return judge(door, parameter, e.getCause());
    }
  }

  /** The message has the parameter's name, or that of the field which a builder's method sets. */
  private static String judge(Executable door, int parameter, Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    String lower = message.toLowerCase(Locale.ROOT);
    boolean named =
        lower.contains(stem(door.getParameters()[parameter].getName()))
            || (door instanceof Method && lower.contains(stem(fieldOf(door.getName()))));
    boolean isName = message.matches("[a-zA-Z.]+(\\[\\w*])?");
    return thrown instanceof NullPointerException && named && isName ? "" : thrown.toString();
  }

  /** {@code withTaints} is about taints. */
  private static String fieldOf(String method) {
    return method.startsWith("with") ? method.substring("with".length()) : method;
  }

  private static String stem(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith("s") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static String nameOf(Executable door, int parameter) {
    return door.getDeclaringClass().getName()
        + (door instanceof Method ? "." + door.getName() : "")
        + "("
        + door.getParameters()[parameter].getName()
        + ")";
  }

  private static @Nullable Object sample(Class<?> type) throws Exception {
    return sample(type, new HashSet<>());
  }

  private static @Nullable Object sample(Class<?> type, Set<Class<?>> within) throws Exception {
    Object known = SAMPLES.get(type);
    if (known != null) {
      return known;
    } else if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    } else if (type.isEnum()) {
      return type.getEnumConstants()[0];
    } else if (type.isSealed()) {
      return sample(type.getPermittedSubclasses()[0], within);
    } else if (type.isInterface()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
    } else if (!within.add(type)) {
      return null;
    }
    Object made = made(type, within);
    within.remove(type);
    return made;
  }

  /**
   * By its constructor, by a factory of its own, or by one of the class that it is a builder of.
   */
  private static @Nullable Object made(Class<?> type, Set<Class<?>> within) throws Exception {
    List<Executable> ways = new ArrayList<>(List.of(type.getConstructors()));
    Stream.of(type, type.getDeclaringClass())
        .filter(owner -> owner != null)
        .flatMap(owner -> Arrays.stream(owner.getDeclaredMethods()))
        .filter(method -> isStatic(method) && Modifier.isPublic(method.getModifiers()))
        .filter(method -> method.getReturnType() == type)
        .forEach(ways::add);
    for (Executable way : ways) {
      Class<?>[] types = way.getParameterTypes();
      Object[] arguments = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        arguments[i] = isNullable(way, i) ? null : sample(types[i], within);
      }
      try {
        return way instanceof Constructor<?> constructor
            ? constructor.newInstance(arguments)
            : ((Method) way).invoke(null, arguments);
      } catch (InvocationTargetException e) {
        // there may be another way
      }
    }
    Class<?> owner = type.getDeclaringClass();
    Object whole = owner == null ? null : sample(owner, within);
    if (whole != null) {
      for (Method method : owner.getMethods()) {
        if (method.getReturnType() == type && method.getParameterCount() == 0) {
          return method.invoke(whole); // toBuilder()
        }
      }
    }
    return null;
  }

  private static Set<String> exportedDirectories() throws IOException, URISyntaxException {
    Path root = classes();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.endsWith("package-info.class"))
          .map(file -> root.relativize(file.getParent()).toString())
          .filter(directory -> !directory.contains("internal") && !directory.endsWith("persistent"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Path classes() throws URISyntaxException {
    return Path.of(Device.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static List<Class<?>> publicClassesOf(String directory)
      throws IOException, URISyntaxException, ClassNotFoundException {
    Path root = classes();
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve(directory))) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String name = root.relativize(file).toString().replace('/', '.');
        if (name.endsWith(".class") && !name.endsWith("package-info.class")) {
          Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
          if (isPublic(type)) {
            classes.add(type);
          }
        }
      }
    }
    return classes;
  }

  private static boolean isPublic(Class<?> type) {
    Class<?> owner = type.getDeclaringClass();
    return Modifier.isPublic(type.getModifiers())
        && !type.isAnonymousClass()
        && (owner == null || isPublic(owner));
  }

  private static final class NoCompiler implements SelectorCompiler {
    @Override
    public CompiledSelector compileSelector(String expression) throws SelectorException {
      throw new SelectorException("no selectors here");
    }

    @Override
    public CompiledAttribute compileAttribute(String expression) throws SelectorException {
      throw new SelectorException("no attributes here");
    }
  }
}
