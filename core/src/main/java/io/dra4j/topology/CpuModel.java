package io.dra4j.topology;

/**
 * The processor model of a host, as NCCL distinguishes them.
 *
 * @param architecture {@code x86_64}, {@code arm64} or {@code ppc64}
 * @param vendor the CPUID vendor, for example {@code GenuineIntel}; empty on other architectures
 * @param family the CPUID family; 0 on other architectures
 * @param model the CPUID model; 0 on other architectures
 */
public record CpuModel(String architecture, String vendor, int family, int model) {}
