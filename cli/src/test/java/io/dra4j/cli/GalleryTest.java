package io.dra4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.testkit.SyntheticHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pictures that the README shows are those that the command draws. */
class GalleryTest {

  private static final Path PICTURES = Path.of("../docs/pictures");
  private static final String OVERLAY = "../examples/nd-h100-v5.nccl.xml";

  @TempDir Path root;

  private void assertDraws(String picture, String... options) throws IOException {
    String[] args = new String[options.length + 5];
    args[0] = "topology";
    args[1] = "--root";
    args[2] = root.toString();
    args[3] = "-o";
    args[4] = "svg";
    System.arraycopy(options, 0, args, 5, options.length);
    Cli cli = Cli.run(args);

    assertThat(cli.code()).as(cli.err()).isZero();
    assertThat(cli.err()).isEmpty();
    if (System.getProperty("pictures", "").equals("write")) {
      Files.writeString(PICTURES.resolve(picture), cli.out());
    }
    assertThat(cli.out())
        .as("write the pictures anew with -Dpictures=write, and look at them")
        .isEqualTo(Files.readString(PICTURES.resolve(picture)));
  }

  @Test
  void twoGpusAndTwoNicsOnEachOfFourSwitches() throws IOException {
    SyntheticHosts.a4().expandTo(root);

    assertDraws("a4.svg");
  }

  @Test
  void sixteenGpusBelowNestedSwitches() throws IOException {
    SyntheticHosts.dgx16().expandTo(root);

    assertDraws("dgx16.svg");
  }

  @Test
  void pairsThatOnlyAnOverlayKnows() throws IOException {
    SyntheticHosts.ndH100v5().expandTo(root);

    assertDraws("nd-h100-v5.svg", "--nccl-xml", OVERLAY);
  }
}
