#!/bin/sh
# Creates the namespace, or updates the retention of the existing one.
set -eu
namespace=${TEMPORAL_NAMESPACE:-default}
if temporal operator namespace describe --namespace "$namespace" > /dev/null 2>&1; then
  temporal operator namespace update --namespace "$namespace" --retention "$RETENTION"
else
  temporal operator namespace create --namespace "$namespace" --retention "$RETENTION"
fi
