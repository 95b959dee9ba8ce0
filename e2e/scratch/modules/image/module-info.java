/** What a jlink image can have: dra4j's modules without native code and without CEL. */
module com.example.image {
  requires io.dra4j.core;
  requires io.dra4j.sysfs;
}
