#!/bin/sh
# Copies all data of an installation of docker-compose.yml into a new folder while the installation runs. deploy/restore.sh
# restores it. docs/operations.md gives the reasons for the order.
#   sh deploy/backup.sh <folder>
set -eu
umask 077
target=${1:?usage: sh deploy/backup.sh <folder>}
compose=${COMPOSE:-docker compose}
# Waits until a node of the replica set is a healthy secondary, with the MongoDB driver of the service's own image.
await_secondary() { $compose run --rm --no-deps -T worker deploy/await-secondary.ts mongo-3:27017 "$1"; }
mkdir "$target"

for database in temporal temporal_visibility; do
  $compose exec -T postgres pg_dump -U temporal --create --clean --if-exists "$database" > "$target/$database.sql"
done

# The files of a stopped node are a consistent snapshot. The other two nodes stay in service, and this node catches up
# afterwards. If it is not a healthy secondary now, the copy would be outdated, or stopping it would stop all writes.
await_secondary 30
trap '$compose start mongo-3' EXIT
$compose stop mongo-3
$compose run --rm --no-deps -T --entrypoint tar mongo-3 -C /data/db -cf - . > "$target/mongodb.tar"
# Restart the node before the objects are copied, which may take hours: two nodes tolerate no further loss, and the oplog is finite.
$compose start mongo-3
trap - EXIT
await_secondary 600

# Objects are written once and never changed: all objects that the copy of MongoDB references exist by now.
$compose exec -T s3 tar -C / -cf - objects metadata > "$target/s3.tar"
