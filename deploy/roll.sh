#!/bin/sh
# Updates a service of docker-compose.yml to the current image and environment without downtime. New containers start beside
# the old ones, which are stopped when the new ones are healthy. If the new ones do not become healthy, they are removed.
#   sh deploy/roll.sh worker
set -eu
service=${1:?usage: sh deploy/roll.sh <service>}
compose=${COMPOSE:-docker compose}
seconds=300

# The containers of the service itself, without those of `docker compose run`.
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
[ -n "$old" ] || { echo "No container of $service exists. To start it, run: $compose up --detach --wait $service" >&2; exit 1; }
count=$(printf '%s\n' "$old" | wc -l)
$compose up --detach --no-deps --no-recreate --scale "$service=$((count * 2))" "$service" ||
  give_up "New containers of $service could not be started"

# `up --wait` is not used: it also waits for the old containers, which may be the broken ones (an outdated password), and it
# gives up when a new container is reported as unhealthy, which may only be slow to start on a busy machine.
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
