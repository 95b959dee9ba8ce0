package io.dra4j.rdma.verbs.jnr;

/**
 * The functions of {@code libibverbs.so.1} that are exported as version {@code IBVERBS_1.1}, which
 * {@code dlsym} finds because it is the default of each; {@code _ibv_query_gid_table} is of {@code
 * IBVERBS_1.11}. Functions that the header defines inline go through a table of the context, whose
 * layout is no part of the interface; none of them is here. Addresses and sizes are {@code long},
 * {@code uint8_t} is {@code int}, since callers pass both in whole registers. No function has six
 * parameters: jnr-ffi 2.3.4 crashes calling such a one on x86_64.
 */
@SuppressWarnings({"MissingSummary", "MethodName"}) // see the manual pages of section 3
public interface LibIbverbs {

  long ibv_get_device_list(long count);

  void ibv_free_device_list(long list);

  String ibv_get_device_name(long device);

  long ibv_open_device(long device);

  int ibv_close_device(long context);

  int ibv_query_device(long context, long attributes);

  int ibv_query_port(long context, int port, long attributes);

  int ibv_query_gid(long context, int port, int index, long gid);

  int ibv_query_pkey(long context, int port, int index, long key);

  long _ibv_query_gid_table(long context, long entries, long room, int flags, long size);
}
