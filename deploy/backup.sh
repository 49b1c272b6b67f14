#!/bin/sh
# Copies all that the installation of docker-compose.yml keeps into a new folder, while it works on; deploy/restore.sh
# brings it back. docs/operations.md says why in this order.
#   sh deploy/backup.sh <folder>
set -eu
umask 077
target=${1:?usage: sh deploy/backup.sh <folder>}
compose=${COMPOSE:-docker compose}
# Asks a node of the replica set how it is, with the driver of the service's own image.
await_secondary() { $compose run --rm --no-deps -T worker deploy/await-secondary.ts mongo-3:27017 "$1"; }
mkdir "$target"

for database in temporal temporal_visibility; do
  $compose exec -T postgres pg_dump -U temporal --create --clean --if-exists "$database" > "$target/$database.sql"
done

# The files of a node that was stopped are one moment of the database. The other two go on, and it catches up afterwards: if it
# is no healthy secondary now, the copy would be old, or stopping it would stop all writing.
await_secondary 30
trap '$compose start mongo-3' EXIT
$compose stop mongo-3
$compose run --rm --no-deps -T --entrypoint tar mongo-3 -C /data/db -cf - . > "$target/mongodb.tar"
# Before the objects, whose copy may take hours: two nodes survive no further death, and the oplog has an end.
$compose start mongo-3
trap - EXIT
await_secondary 600

# Objects are written once and never changed: those that MongoDB's copy names are all there by now.
$compose exec -T s3 tar -C / -cf - objects metadata > "$target/s3.tar"
