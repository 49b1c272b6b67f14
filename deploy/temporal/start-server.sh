#!/bin/sh
# Starts a Temporal server that announces the address of its container. Servers find each other by these addresses, so a
# second one can be added.
set -eu
BROADCAST_ADDRESS=$(hostname -i | cut -d ' ' -f 1)
export BROADCAST_ADDRESS
exec temporal-server --root /etc/troupe --config . --env server start
