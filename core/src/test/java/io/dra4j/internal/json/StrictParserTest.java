package io.dra4j.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.dra4j.internal.json.StrictParser.Fault;
import io.dra4j.internal.json.StrictParser.FaultException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictParserTest {

  private final StrictParser parser = new StrictParser(3, 8);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a': }       | SYNTAX | line 1, column 7",
        "{'a': 1       | SYNTAX | line 1, column 8",
        "{'a': 1,}     | SYNTAX | line 1, column 9",
        "{a: 1}        | SYNTAX | line 1, column 2",
        "NaN           | SYNTAX | line 1, column 4",
        "{} {}         | REST   | line 1, column 4",
        "[[[[1]]]]     | LIMIT  | line 1, column 1",
        "[123456789]   | LIMIT  | line 1, column 1",
      })
  void aTextThatIsNotOneValueIsRefusedWithItsPlace(String text, Fault fault, String place) {
    for (boolean all : List.of(true, false)) {
      FaultException thrown =
          catchThrowableOfType(FaultException.class, () -> read(text, all, new ArrayList<>()));

      assertThat(thrown.fault()).isEqualTo(fault);
      assertThat(thrown.place()).isEqualTo(place);
    }
  }

  @Test
  void theFirstFieldThatStandsTwiceIsAFaultAtTheEndOfItsName() {
    assertThatExceptionOfType(FaultException.class)
        .isThrownBy(() -> parser.parse("{\"a/b\": 1,\n \"a/b\": 2}"))
        .withMessage("a/b")
        .satisfies(thrown -> assertThat(thrown.fault()).isEqualTo(Fault.TWICE))
        .satisfies(thrown -> assertThat(thrown.place()).isEqualTo("line 2, column 7"));
  }

  @Test
  void allFieldsThatStandTwiceAreReportedByPointers() throws FaultException {
    List<String> twice = new ArrayList<>();
    JsonNode tree = read("{'l': [{'a/b': 1, 'a/b': 2}], 'l~': 0, 'l~': 1}", true, twice);

    assertThat(twice).containsExactly("/l/0/a~1b", "/l~0");
    assertThat(tree.at("/l/0/a~1b").intValue()).isEqualTo(2);
  }

  @Test
  void numbersOfAReadingThatReportsAllStayExact() throws FaultException {
    assertThat(read("[0.10, 1e400]", true, new ArrayList<>())).hasToString("[0.10,1E+400]");
    assertThat(read("[0.10]", false, new ArrayList<>())).hasToString("[0.1]");
  }

  @Test
  void anExponentThatNoNumberHasIsRefusedWithItsPlace() {
    StrictParser long64 = new StrictParser(3, 64);

    assertThatExceptionOfType(FaultException.class)
        .isThrownBy(() -> long64.parse("[1, 1e1000000000000]", pointer -> {}))
        .withMessage("the exponent of a number is out of range")
        .satisfies(thrown -> assertThat(thrown.place()).isEqualTo("line 1, column 5"));
  }

  @Test
  void anEmptyTextIsAMissingNode() throws FaultException {
    assertThat(parser.parse(" ").isMissingNode()).isTrue();
    assertThat(parser.parse("null").isNull()).isTrue();
  }

  private JsonNode read(String text, boolean all, List<String> twice) throws FaultException {
    String json = text.replace('\'', '"');
    return all ? parser.parse(json, twice::add) : parser.parse(json);
  }
}
