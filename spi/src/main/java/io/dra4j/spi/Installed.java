package io.dra4j.spi;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The implementations of a service on the class path and the module path. {@link ServiceLoader}
 * alone does not find implementations of modules that require this module only optionally ({@code
 * requires static}): if such a module declared them, it would depend on this module. They are
 * listed in {@code META-INF/services}, as on the class path.
 *
 * @param services the implementations
 * @param absent the names of modules on the module path that have implementations but are not used
 *     by the program
 * @param <T> the service
 */
record Installed<T>(List<T> services, Set<String> absent) {

  static <T> Installed<T> of(Class<T> service) {
    List<T> services = new ArrayList<>();
    ServiceLoader.load(service).stream().map(ServiceLoader.Provider::get).forEach(services::add);
    Module own = service.getModule();
    ModuleLayer layer = own.getLayer();
    if (layer == null) { // the class path, where the loader has found all
      return new Installed<>(List.copyOf(services), Set.of());
    }
    String list = "META-INF/services/" + service.getName();
    for (Module module : layer.modules()) {
      if (isOptionalFor(module.getDescriptor(), own.getName())) {
        try (InputStream names = module.getResourceAsStream(list)) {
          for (String name : names(names)) {
            services.add(make(service, module, name));
          }
        } catch (IOException e) {
          throw new ServiceConfigurationError(list + " of module " + module.getName(), e);
        }
      }
    }
    return new Installed<>(List.copyOf(services), absent(list, layer, own.getName()));
  }

  private static boolean isOptionalFor(ModuleDescriptor module, String own) {
    return module.requires().stream()
        .anyMatch(
            one ->
                one.name().equals(own)
                    && one.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC));
  }

  private static List<String> names(@Nullable InputStream list) throws IOException {
    return list == null
        ? List.of()
        : new String(list.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.replaceFirst("#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .toList();
  }

  private static <T> T make(Class<T> service, Module module, String name) {
    Class<?> type = Class.forName(module, name);
    if (type == null) {
      throw new ServiceConfigurationError(
          service.getName() + ": module " + module.getName() + " has no class " + name);
    }
    try {
      return type.asSubclass(service).getConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new ServiceConfigurationError(
          service.getName() + ": class " + name + " cannot be used: " + e, e);
    }
  }

  private static Set<String> absent(String list, ModuleLayer layer, String own) {
    Set<String> absent = new TreeSet<>();
    String path = System.getProperty("jdk.module.path", "");
    Path[] entries =
        Arrays.stream(path.split(System.getProperty("path.separator"), -1))
            .filter(entry -> !entry.isEmpty())
            .map(Path::of)
            .toArray(Path[]::new);
    try {
      for (ModuleReference one : ModuleFinder.of(entries).findAll()) {
        String name = one.descriptor().name();
        if (layer.findModule(name).isEmpty() && isOptionalFor(one.descriptor(), own)) {
          try (ModuleReader reader = one.open()) {
            if (reader.find(list).isPresent()) {
              absent.add(name);
            }
          }
        }
      }
    } catch (FindException | IOException e) {
      return absent; // the program works without the module
    }
    return absent;
  }

  /** Returns messages about modules that are not in use; one line each. */
  List<String> warnings() {
    return absent.stream()
        .map(
            name ->
                "module "
                    + name
                    + " is on the module path, but the program does not use it: require it, or"
                    + " start Java with --add-modules "
                    + name)
        .toList();
  }
}
