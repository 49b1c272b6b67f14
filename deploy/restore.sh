#!/bin/sh
# Restores a copy of deploy/backup.sh into an installation of docker-compose.yml without data, and starts it. It needs the
# .env of the original installation.
#   sh deploy/restore.sh <folder>
set -eu
source=${1:?usage: sh deploy/restore.sh <folder>}
compose=${COMPOSE:-docker compose}
nodes='mongo-1 mongo-2 mongo-3'
# Runs a program instead of a node, on the data of this node.
on_data_of() { $compose run --rm --no-deps -T --entrypoint "$2" "$1" -C /data/db "$3" -; }

for node in $nodes; do
  if [ -n "$($compose run --rm --no-deps -T --entrypoint ls "$node" -A /data/db)" ]; then
    echo "$node has data already: docker compose down --volumes deletes all that there is." >&2
    exit 1
  fi
done
$compose up --detach --no-deps --wait postgres s3
for database in temporal temporal_visibility; do
  $compose exec -T postgres psql -q -v ON_ERROR_STOP=1 -U temporal -d postgres < "$source/$database.sql" > /dev/null
done
# All three nodes start with the same copy, so none has to resync from another.
for node in $nodes; do on_data_of "$node" tar -xf < "$source/mongodb.tar"; done
$compose exec -T s3 tar -C / -xf - < "$source/s3.tar"
# Runs before anything writes events: clients may have seen events that the copy does not contain.
# shellcheck disable=SC2086
$compose up --detach --no-deps --wait $nodes
$compose run --rm --no-deps -T worker deploy/leave-trace-gap.ts
$compose up --detach --wait
