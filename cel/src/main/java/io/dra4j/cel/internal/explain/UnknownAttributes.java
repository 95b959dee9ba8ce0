package io.dra4j.cel.internal.explain;

import io.dra4j.cel.internal.check.CheckedExpression;
import io.dra4j.cel.internal.explain.DeviceTerms.Term;
import io.dra4j.cel.internal.text.GoText;
import io.dra4j.common.Budget;
import io.dra4j.common.BudgetExceededException;
import io.dra4j.common.SimilarNames;
import io.dra4j.model.Device;
import io.dra4j.model.QualifiedName;
import io.dra4j.model.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds the names of attributes and capacities in a selector that no published device has. */
public final class UnknownAttributes {

  private UnknownAttributes() {}

  /**
   * {@return a sentence for each name of an expression that no device has, with similar names}
   *
   * @throws BudgetExceededException if the budget expires before
   */
  public static List<String> of(
      CheckedExpression checked, Collection<ResourceSlice> slices, Budget budget)
      throws BudgetExceededException {
    Set<Term> published = new LinkedHashSet<>();
    Set<String> drivers = new LinkedHashSet<>();
    for (ResourceSlice slice : slices) {
      drivers.add(slice.driver());
      for (Device device : slice.devices()) {
        budget.check();
        device.attributes().keySet().forEach(name -> add(published, "attributes", slice, name));
        device.capacity().keySet().forEach(name -> add(published, "capacity", slice, name));
      }
    }
    List<String> sentences = new ArrayList<>();
    DeviceTerms read = DeviceTerms.of(checked.expression());
    for (Term term : read.terms()) {
      budget.check();
      if (term.domain() != null && !published.contains(term)) {
        sentences.add(
            term
                + " is published by no device"
                + near(
                    term.toString(),
                    published.stream()
                        .filter(other -> other.isValue() == term.isValue())
                        .map(Term::toString)
                        .toList()));
      }
    }
    for (String driver : read.drivers()) {
      budget.check();
      if (!drivers.contains(driver)) {
        sentences.add(GoText.quote(driver) + " is the driver of no device" + near(driver, drivers));
      }
    }
    return sentences;
  }

  private static void add(Set<Term> terms, String field, ResourceSlice slice, String name) {
    QualifiedName qualified = QualifiedName.of(slice.driver(), name);
    terms.add(new Term(field, qualified.domain(), null));
    terms.add(new Term(field, qualified.domain(), qualified.id()));
  }

  private static String near(String name, Collection<String> published) {
    List<String> near = SimilarNames.of(name, published);
    return near.isEmpty() ? "" : "; similar: " + String.join(", ", near);
  }
}
