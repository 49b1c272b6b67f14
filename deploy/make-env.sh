#!/bin/sh
# Writes an environment for docker-compose.yml in which every secret is new and random, readable by its owner alone:
#   sh deploy/make-env.sh [<file>]     .env unless another is named; one that exists is never overwritten
# Keep the result: the data that the servers write is bound to these passwords.
set -eu
target=${1:-.env}
umask 077
# The file is made by this script and not by the shell that calls it, whose umask may let others read it.
if ! (set -C && : > "$target") 2> /dev/null; then
  echo "$target cannot be created, or is there already: the data of an installation may be bound to its passwords." >&2
  exit 1
fi
secret() { openssl rand -hex 24; }
cat > "$target" << END
# What clients send as X-API-Key; several keys, separated by commas, are all accepted.
SERVICE_API_KEY=$(secret)
POSTGRES_PASSWORD=$(secret)
MONGODB_ROOT_PASSWORD=$(secret)
MONGODB_PASSWORD=$(secret)
# What the nodes of the replica set show each other.
MONGODB_KEYFILE=$(openssl rand -hex 256)
# The administrator of the object store, and the account of the service.
S3_ROOT_SECRET_KEY=$(secret)
S3_SECRET_KEY=$(secret)
END
echo "$target is written."
