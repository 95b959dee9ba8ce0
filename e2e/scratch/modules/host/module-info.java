/** Everything of dra4j that is a module; jnr-ffi and others are automatic ones. */
module com.example.host {
  requires io.dra4j.dranet;
  requires io.dra4j.runtime;
}
