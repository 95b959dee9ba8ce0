package io.dra4j.nri.ttrpc;

/** The codes of gRPC that answers of this project use. */
public enum StatusCode {
  /** The handler failed. */
  UNKNOWN(2),
  /** The payload of a request cannot be read. */
  INVALID_ARGUMENT(3),
  /** Too many requests, or too much data. */
  RESOURCE_EXHAUSTED(8),
  /** Not finished in time. The runtime would treat DEADLINE_EXCEEDED as a dead plugin. */
  ABORTED(10),
  /** No such method. */
  UNIMPLEMENTED(12);

  private final int number;

  StatusCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
