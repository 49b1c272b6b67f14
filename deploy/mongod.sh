#!/bin/bash
# Starts a node of the replica set. mongod wants its key in a file that only it can read, which no mounted file would be.
set -eu
umask 077
printf '%s' "$MONGODB_KEYFILE" > /tmp/keyfile
unset MONGODB_KEYFILE
exec mongod --replSet troupe --keyFile /tmp/keyfile --bind_ip_all --quiet "$@"
