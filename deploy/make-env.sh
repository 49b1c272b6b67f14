#!/bin/sh
# Writes an environment file for docker-compose.yml with new random secrets, readable only by its owner:
#   sh deploy/make-env.sh [<file>]     default: .env; an existing file is never overwritten
# Keep the file: the data of the servers is bound to these passwords.
set -eu
target=${1:-.env}
umask 077
# The script creates the file itself, because the umask of the calling shell may permit others to read it.
if ! (set -C && : > "$target") 2> /dev/null; then
  echo "$target cannot be created, or is there already: the data of an installation may be bound to its passwords." >&2
  exit 1
fi
secret() { openssl rand -hex 24; }
cat > "$target" << END
# Sent by clients as X-API-Key. Several keys can be separated by commas; all are accepted.
SERVICE_API_KEY=$(secret)
POSTGRES_PASSWORD=$(secret)
MONGODB_ROOT_PASSWORD=$(secret)
MONGODB_PASSWORD=$(secret)
# Key with which the nodes of the replica set authenticate each other.
MONGODB_KEYFILE=$(openssl rand -hex 256)
# Administrator of the object store, and the account of the service.
S3_ROOT_SECRET_KEY=$(secret)
S3_SECRET_KEY=$(secret)
END
echo "$target is written."
