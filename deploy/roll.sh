#!/bin/sh
# Gives a service of docker-compose.yml the present image and environment without a gap: new containers start beside the old
# ones, which end in their own time once the new ones are healthy.
#   sh deploy/roll.sh worker
set -eu
service=${1:?usage: sh deploy/roll.sh <service>}
compose=${COMPOSE:-docker compose}
old=$($compose ps --quiet "$service")
count=$(printf '%s\n' "$old" | wc -l)
$compose up --detach --no-deps --no-recreate --wait --scale "$service=$((count * 2))" "$service"
for container in $old; do
  docker stop "$container"
  docker rm "$container"
done > /dev/null
