#!/bin/bash
# Starts a node of the replica set. mongod requires its key in a file that only its own user can read, unlike a mounted file.
set -eu
umask 077
printf '%s' "$MONGODB_KEYFILE" > /tmp/keyfile
unset MONGODB_KEYFILE
exec mongod --replSet troupe --keyFile /tmp/keyfile --bind_ip_all --quiet "$@"
