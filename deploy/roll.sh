#!/bin/sh
# Gives a service of docker-compose.yml the present image and environment without a gap: new containers start beside the old
# ones, which end in their own time once the new ones are healthy. Where these are not, they are removed, and the old ones stay.
#   sh deploy/roll.sh worker
set -eu
service=${1:?usage: sh deploy/roll.sh <service>}
compose=${COMPOSE:-docker compose}
seconds=300

# Those of the service itself: `docker compose run` makes others beside them.
containers() { $compose ps --all --format '{{.Name}}' "$service" | grep -v -- '-run-[0-9a-f]*$' || true; }
added() { containers | grep -vxF "$old" || true; }
states() { docker inspect --format '{{if .State.Health}}{{.State.Health.Status}}{{else}}unchecked{{end}} {{.State.Status}}' $(added); }
give_up() {
  for container in $(added); do
    docker logs --tail 20 "$container" >&2
    docker rm --force "$container" > /dev/null
  done
  echo "$1, and were removed; the old ones stay." >&2
  exit 1
}

old=$(containers)
[ -n "$old" ] || { echo "There is no container of $service: $compose up --detach --wait $service starts it." >&2; exit 1; }
count=$(printf '%s\n' "$old" | wc -l)
$compose up --detach --no-deps --no-recreate --scale "$service=$((count * 2))" "$service" ||
  give_up "New containers of $service could not be started"

# Not by `up --wait`: it waits for the old ones, too, which may be what has to be mended (a password that no longer holds), and
# gives up when a new one is called unhealthy, which on a busy machine may only be slow to start.
until [ "$(states | grep -cE '^(healthy|unchecked) running$')" = "$count" ]; do
  seconds=$((seconds - 1))
  if [ "$seconds" = 0 ] || states | grep -qE 'exited|dead'; then
    give_up "The new containers of $service did not become healthy within 5 minutes, or ended"
  fi
  sleep 1
done
for container in $old; do
  docker stop "$container"
  docker rm "$container"
done > /dev/null
