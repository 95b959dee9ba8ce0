{{/* The name of all objects, at most 63 bytes. */}}
{{- define "dra4j.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The labels by which the DaemonSet selects its pods. */}}
{{- define "dra4j.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "dra4j.labels" -}}
{{ include "dra4j.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* The flags of values.args as a list. A value that is not set adds no flag; false and 0 do. */}}
{{- define "dra4j.flags" -}}
{{- $flags := list -}}
{{- $names := dict "filter" "filter" "dbPath" "db-path" "inventoryMinPollInterval" "inventory-min-poll-interval" "inventoryMaxPollInterval" "inventory-max-poll-interval" "inventoryPollBurst" "inventory-poll-burst" "moveIBInterfaces" "move-ib-interfaces" "cloudProviderHint" "cloud-provider-hint" "profileProvider" "profile-provider" "webhookURL" "webhook-url" "featureGates" "feature-gates" "classOnlyFields" "class-only-fields" -}}
{{- range $key, $value := .Values.args -}}
{{- if not (kindIs "invalid" $value) -}}
{{- $flags = append $flags (printf "--%s=%v" (get $names $key) $value) -}}
{{- end -}}
{{- end -}}
{{- with concat $flags .Values.extraArgs -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}
