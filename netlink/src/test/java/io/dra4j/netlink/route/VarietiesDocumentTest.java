package io.dra4j.netlink.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The table of varieties for people is that of the tests. With {@code -Dwrite-docs} it is made. */
@EnabledIf("isCheckout")
class VarietiesDocumentTest {

  private static final Path FILE = Path.of("..", "docs", "varieties.md");

  static boolean isCheckout() {
    return Files.isDirectory(Path.of("..", "docs"));
  }

  @Test
  void theDocumentIsThatOfTheTable() throws IOException {
    String document = Varieties.document();
    if (System.getProperty("write-docs") != null) {
      Files.writeString(FILE, document);
    }
    assertThat(FILE).content().as("make it with -Dwrite-docs").isEqualTo(document);
  }
}
