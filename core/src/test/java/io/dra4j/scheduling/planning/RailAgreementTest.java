package io.dra4j.scheduling.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words about the rails of a job. */
class RailAgreementTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2,3     | 2 | true  | equal rails 2, 3 on all 34 nodes
          2,3     | 2 | false | unequal rails: 2, 3 are used on all 34 nodes, and further rails on some of them
          4,5,6,7 | 4 | false | unequal rails: 4 to 7 are used on all 34 nodes, and further rails on some of them
          1       | 1 | false | unequal rails: 1 is used on all 34 nodes, and further rails on some of them
          1       | 2 | false | unequal rails: only 1 of 2 is used on all 34 nodes
          ''      | 2 | false | unequal rails: none is used on all 34 nodes
          """)
  void theReasonNamesTheRailsOfAllNodes(String common, int fewest, boolean isEqual, String reason) {
    List<Integer> rails =
        common.isEmpty()
            ? List.of()
            : List.of(common.split(",")).stream().map(Integer::valueOf).toList();
    assertThat(new RailAgreement(34, rails, fewest, isEqual).reason()).isEqualTo(reason);
  }
}
