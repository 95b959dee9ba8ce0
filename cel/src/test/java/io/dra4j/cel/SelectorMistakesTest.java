package io.dra4j.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.dra4j.common.Budget;
import io.dra4j.model.Device;
import io.dra4j.model.DeviceAttribute;
import io.dra4j.selector.SelectorExplanation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selectors with the mistakes that people make: what a hint says to write is CEL, and is meant. */
class SelectorMistakesTest {

  private static final String DRIVER = "gpu.nvidia.com";

  private static final Device GPU =
      Device.named("gpu-0")
          .attribute("type", "gpu")
          .attribute("model", "salt and pepper = 'x' or 'y'")
          .attribute("index", 3)
          .attribute("mig", false)
          .attribute("namespace", "a")
          .attribute("driverVersion", new DeviceAttribute.VersionValue("550.54.14"))
          .attribute("cuda", new DeviceAttribute.VersionValue("8.0.0"))
          .attribute("resource.kubernetes.io/pcieRoot", "pci0000:8c")
          .capacity("memory", "80Gi")
          .build();

  private static final CelSelectors SELECTORS = CelSelectors.create();

  /**
   * The last column is what is to be written instead, in the short forms of the first; = where the
   * whole of it is the condition, and nothing where there is nothing to write.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          # Operators of texts and numbers on versions and quantities
          A.driverVersion >= semver("550.54.14")           ; A.driverVersion.compareTo(semver("550.54.14")) >= 0    ; true
          A.driverVersion > semver("550.54.14")            ; A.driverVersion.compareTo(semver("550.54.14")) > 0     ; false
          A.driverVersion < semver("560.0.0")              ; A.driverVersion.compareTo(semver("560.0.0")) < 0       ; true
          A.driverVersion <= semver("550.54")              ; A.driverVersion.compareTo(semver("550.54.0")) <= 0     ; false
          semver("550.0.0") <= A.driverVersion             ; A.driverVersion.compareTo(semver("550.0.0")) >= 0      ; true
          semver("550.0.0") > A.driverVersion              ; A.driverVersion.compareTo(semver("550.0.0")) < 0       ; false
          A.driverVersion >= "550.54"                      ; A.driverVersion.compareTo(semver("550.54.0")) >= 0     ; true
          A.driverVersion >= "v550"                        ; A.driverVersion.compareTo(semver("550.0.0")) >= 0      ; true
          A.driverVersion.isLessThan("560")                ; A.driverVersion.isLessThan(semver("560.0.0"))          ; true
          C.memory >= quantity("40Gi")                     ; C.memory.compareTo(quantity("40Gi")) >= 0              ; true
          C.memory < quantity("40Gi")                      ; C.memory.compareTo(quantity("40Gi")) < 0               ; false
          quantity("40Gi") < C.memory                      ; C.memory.compareTo(quantity("40Gi")) > 0               ; true
          C.memory >= "40Gi"                               ; C.memory.compareTo(quantity("40Gi")) >= 0              ; true
          C.memory > "80GB"                                ; C.memory.compareTo(quantity("80G")) > 0                ; true
          C.memory > "80 GiB"                              ; C.memory.compareTo(quantity("80Gi")) > 0               ; false
          C.memory >= 40                                   ; C.memory.compareTo(quantity("40")) >= 0                ; true
          C.memory >= 40u                                  ; C.memory.compareTo(quantity("40")) >= 0                ; true
          C.memory >= 4.5                                  ; C.memory.compareTo(quantity("4.5")) >= 0               ; true
          C.memory != "80Gi"                               ; C.memory.compareTo(quantity("80Gi")) != 0              ; false
          C.memory.compareTo("40Gi") >= 0                  ; C.memory.compareTo(quantity("40Gi")) >= 0              ; true
          0 > C.memory.compareTo("40Gi")                   ; C.memory.compareTo(quantity("40Gi")) < 0               ; false
          C.memory.compareTo("90GB") == -1                 ; C.memory.compareTo(quantity("90G")) == -1              ; true
          A.driverVersion.compareTo("550.54") > 0          ; A.driverVersion.compareTo(semver("550.54.0")) > 0      ; true
          A.memory.compareTo("40Gi") != 1                  ; C.memory.compareTo(quantity("40Gi")) != 1              ; false
          C.memory.isGreaterThan("40GB")                   ; C.memory.isGreaterThan(quantity("40G"))                ; true
          # Versions and quantities that are none
          A.cuda == semver("8.0")                          ; A.cuda == semver("8.0.0")                              ; true
          A.cuda.isLessThan(semver("9"))                   ; A.cuda.isLessThan(semver("9.0.0"))                     ; true
          A.cuda.isGreaterThan(semver("v7.5"))             ; A.cuda.isGreaterThan(semver("7.5.0"))                  ; true
          A.cuda.isGreaterThan(semver("08.00.00"))         ; A.cuda.isGreaterThan(semver("8.0.0"))                  ; false
          A.cuda.isGreaterThan(semver("latest"))           ;                                                        ;
          A.cuda >= "latest"                               ;                                                        ;
          C.memory.isGreaterThan(quantity("40GB"))         ; C.memory.isGreaterThan(quantity("40G"))                ; true
          C.memory.isGreaterThan(quantity("80 Gi"))        ; C.memory.isGreaterThan(quantity("80Gi"))               ; false
          C.memory.isGreaterThan(quantity("much"))         ;                                                        ;
          C.memory >= true                                 ;                                                        ;
          # Operators of other languages
          A.type = "gpu"                                   ; A.type == "gpu"                                        ; true
          A.type === "gpu"                                 ; A.type == "gpu"                                        ; true
          A.type <> "gpu"                                  ; A.type != "gpu"                                        ; false
          A.index => 3                                     ; A.index >= 3                                           ; true
          A.index =< 2                                     ; A.index <= 2                                           ; false
          A.index =! 4                                     ; A.index != 4                                           ; true
          A.mig =!A.mig                                    ; A.mig ==!A.mig                                         ; false
          A.index ≥ 3 and A.index ≤ 3                      ; A.index >= 3 && A.index <= 3                           ; true
          A.index ≠ 3                                      ; A.index != 3                                           ; false
          A.type == "gpu" and A.index == 3                 ; A.type == "gpu" && A.index == 3                        ; true
          A.type == "mig" OR A.index == 3                  ; A.type == "mig" || A.index == 3                        ; true
          A.type == "gpu" & A.index = 4                    ; A.type == "gpu" && A.index == 4                        ; false
          A.type == "nic" | A.index == 3                   ; A.type == "nic" || A.index == 3                        ; true
          not A.mig                                        ; !(A.mig)                                               ; true
          not A.type == "mig"                              ; !(A.type == "mig")                                     ; true
          not A.type == "mig" and A.index == 4             ; !(A.type == "mig") && A.index == 4                     ; false
          (not A.mig) and not (A.index == 4)               ; (!(A.mig)) && !((A.index == 4))                        ; true
          A.mig == False and A.index == 3                  ; A.mig == false && A.index == 3                         ; true
          A.model = "salt and pepper = 'x' or 'y'"         ; A.model == "salt and pepper = 'x' or 'y'"              ; true
          A.model = 'not' or A["index"] == 3 // and so on  ; A.model == 'not' || A["index"] == 3 // and so on       ; true
          A.type = "gpu" and                               ;                                                        ;
          A.type == "gpu" and A.kind == 3                  ;                                                        ;
          # Texts of numbers, and names
          A.index == quantity("3")                         ;                                                        ;
          A.memory.isGreaterThan(quantity("40Gi"))         ; C.memory.isGreaterThan(quantity("40Gi"))               ; true
          # Values as ResourceSlices write them
          A.type.string == "gpu"                           ; A.type == "gpu"                                        ; true
          A.index.int > 3                                  ; A.index > 3                                            ; false
          A.mig.bool                                       ; A.mig                                                  ; false
          C.memory.value.isGreaterThan(quantity("40Gi"))   ; C.memory.isGreaterThan(quantity("40Gi"))               ; true
          # A name and its comparison
          A.memory >= quantity("40Gi")                     ; C.memory.compareTo(quantity("40Gi")) >= 0              ; true
          A.memory < "40Gi"                                ; C.memory.compareTo(quantity("40Gi")) < 0               ; false
          C.memry.isLessThan("90Gi")                       ; C.memory.isLessThan(quantity("90Gi"))                  ; true
          A.driverVersio >= "550.54"                       ; A.driverVersion.compareTo(semver("550.54.0")) >= 0     ; true
          A.driver_version > semver("550")                 ; A.driverVersion.compareTo(semver("550.0.0")) > 0       ; true
          C.index == 3                                     ; A.index == 3                                           ; true
          """)
  void whatAHintSaysToWriteIsTriedAndMeant(String written, String meant, String value)
      throws Exception {
    SelectorExplanation said =
        SELECTORS.explain(longForm(written), DRIVER, GPU, Budget.unlimited());
    String hints = String.join("\n", said.hints());
    if (meant == null) {
      assertThat(said.lines().toString())
          .doesNotContain("write device", "write quantity", "write semver");
      return;
    }
    String wanted = longForm(meant);
    assertThat(SELECTORS.compileSelector(wanted).matches(DRIVER, GPU))
        .isEqualTo(Boolean.valueOf(value));
    assertThat(hints)
        .satisfiesAnyOf(
            all -> assertThat(all).contains("write " + wanted),
            all -> assertThat(wanted).contains(after(all, "write ")),
            all -> assertThat(wanted).contains(after(all, "compare it with ")));
  }

  private static String after(String hint, String begin) {
    assertThat(hint).contains(begin);
    return hint.substring(hint.lastIndexOf(begin) + begin.length());
  }

  private static String longForm(String text) {
    return text.replaceAll("\\bA(?=[.\\[])", "device.attributes[\"gpu.nvidia.com\"]")
        .replaceAll("\\bC(?=[.\\[])", "device.capacity[\"gpu.nvidia.com\"]");
  }
}
