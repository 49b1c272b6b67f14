#!/bin/sh
# Prints an environment for docker-compose.yml in which every secret is new and random:
#   sh deploy/make-env.sh > .env
# Keep the result: the data that the servers write is bound to these passwords.
set -eu
umask 077
secret() { openssl rand -hex 24; }
cat <<EOF
# What clients send as X-API-Key; several keys, separated by commas, are all accepted.
SERVICE_API_KEY=$(secret)
POSTGRES_PASSWORD=$(secret)
MONGODB_ROOT_PASSWORD=$(secret)
MONGODB_PASSWORD=$(secret)
# What the nodes of the replica set show each other.
MONGODB_KEYFILE=$(openssl rand -hex 256)
S3_SECRET_KEY=$(secret)
EOF
