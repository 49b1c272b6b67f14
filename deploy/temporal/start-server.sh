#!/bin/sh
# Starts a Temporal server under the address of its container: servers find each other by the addresses they announce,
# so that a second one may be added.
set -eu
BROADCAST_ADDRESS=$(hostname -i | cut -d ' ' -f 1)
export BROADCAST_ADDRESS
exec temporal-server --root /etc/troupe --config . --env server start
