package io.dra4j.benchmarks;

import io.dra4j.placement.bandwidth.LinkModel;
import io.dra4j.placement.bandwidth.LinkModelException;
import io.dra4j.placement.cloud.Calibration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the page that holds predictions beside measurements. */
public final class CalibrationPage {

  private CalibrationPage() {}

  /**
   * Writes the page for the default profile, or for a profile of one's own.
   *
   * @param args the file to write, and perhaps the file of the profile
   * @throws IOException if a file cannot be read or written
   * @throws LinkModelException if the profile is none
   */
  public static void main(String[] args) throws IOException, LinkModelException {
    LinkModel model = args.length > 1 ? LinkModel.read(Path.of(args[1])) : LinkModel.nccl();
    Files.writeString(Path.of(args[0]), Calibration.of(model).page());
  }
}
