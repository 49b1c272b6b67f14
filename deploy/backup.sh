#!/bin/sh
# Copies all that the installation of docker-compose.yml keeps into a new folder, while it works on; deploy/restore.sh
# brings it back. docs/operations.md says why in this order.
#   sh deploy/backup.sh <folder>
set -eu
umask 077
target=${1:?usage: sh deploy/backup.sh <folder>}
compose=${COMPOSE:-docker compose}
mkdir "$target"

for database in temporal temporal_visibility; do
  $compose exec -T postgres pg_dump -U temporal --create --clean --if-exists "$database" > "$target/$database.sql"
done

# The files of a node that was stopped are one moment of the database. The other two go on, and it catches up afterwards.
trap '$compose start mongo-3' EXIT
$compose stop mongo-3
$compose run --rm --no-deps -T --entrypoint tar mongo-3 -C /data/db -cf - . > "$target/mongodb.tar"

# Objects are written once and never changed: those that MongoDB's copy names are all there by now.
$compose exec -T s3 tar -C / -cf - objects metadata > "$target/s3.tar"
