#!/bin/sh
# Gives a service of docker-compose.yml the present image and environment without a gap: new containers start beside the old
# ones, which end in their own time once the new ones are healthy. Where these are not, they are removed, and the old ones stay.
#   sh deploy/roll.sh worker
set -eu
service=${1:?usage: sh deploy/roll.sh <service>}
compose=${COMPOSE:-docker compose}
seconds=300
old=$($compose ps --all --quiet "$service")
[ -n "$old" ] || { echo "There is no container of $service: $compose up --detach --wait $service starts it." >&2; exit 1; }
count=$(printf '%s\n' "$old" | wc -l)
$compose up --detach --no-deps --no-recreate --scale "$service=$((count * 2))" "$service"
new=$($compose ps --all --quiet "$service" | grep -vxF "$old")

health() { docker inspect --format '{{.State.Health.Status}} {{.State.Status}}' $new; }
# Not by `up --wait`: it waits for the old ones, too, which may be what has to be mended (a password that no longer holds), and
# gives up when a new one is called unhealthy, which on a busy machine may only be slow to start.
until [ "$(health | grep -c '^healthy running$')" = "$count" ]; do
  seconds=$((seconds - 1))
  if [ "$seconds" = 0 ] || health | grep -qE 'exited|dead'; then
    for container in $new; do docker logs --tail 20 "$container"; done >&2
    docker rm --force $new > /dev/null
    echo "The new containers of $service did not become healthy within 5 minutes, or ended, and were removed; the old ones stay." >&2
    exit 1
  fi
  sleep 1
done
for container in $old; do
  docker stop "$container"
  docker rm "$container"
done > /dev/null
