package io.dra4j.topology;

/**
 * The processors of a host, as NCCL distinguishes them.
 *
 * @param architecture {@code x86_64}, {@code arm64} or {@code ppc64}
 * @param vendor as CPUID gives it, for example {@code GenuineIntel}; empty elsewhere
 * @param family the CPUID family; 0 elsewhere
 * @param model the CPUID model; 0 elsewhere
 */
public record CpuModel(String architecture, String vendor, int family, int model) {}
