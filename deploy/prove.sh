#!/bin/bash
# Verifies docker-compose.yml on a machine that cannot pull images, with a separate Docker engine, substitute images under the same
# names (deploy/prove/images.sh), and the service's own image built from its Dockerfile. All services must become healthy, the
# demo must run, and containers and logs must be shown with their types. Nothing may be lost while processes are killed and while
# the installation is upgraded, gets new keys, and is restored from a backup.
#   sudo deploy/prove.sh          takes some minutes, and some gigabytes under /tmp while it runs
#   KEEP=1 sudo deploy/prove.sh   leaves everything running, and prints how to reach it
#   CHAOS=30 SEED=7 sudo deploy/prove.sh   instead: minutes of random load under random faults (test/chaos)
#   TESTS='test/faults test/contract' sudo deploy/prove.sh   the tests to run against these servers
# Needs root, Debian's docker.io, busybox-static, postgresql and prometheus, and Go if a program must be built.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=${WORK:-/tmp/troupe-prove}
programs=${XDG_CACHE_HOME:-$HOME/.cache}/troupe/bin
node="$root/node_modules/.bin/node"
started_at=$(date +%s)

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s  (%s s)\n' "$*" "$(($(date +%s) - started_at))"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

. "$root/deploy/prove/programs.sh"
. "$root/deploy/prove/engine.sh"
. "$root/deploy/prove/images.sh"
. "$root/deploy/prove/operate.sh"
compose_files docker-compose.yml

come_up() {
  compose up --detach --wait --wait-timeout 400 "$@" > "$work/up.log" 2>&1 || { tail -n 40 "$work/up.log"; fail 'It did not come up.'; }
}
unhealthy() { compose ps --format '{{.Service}} {{.Status}}' | grep -v '(healthy)' || true; }
memory() { docker_ stats --no-stream --format '{{.Name}} {{.MemUsage}}' | sort | awk '{ printf "  %-32s %s\n", $1, $2 }'; }

finish() {
  local code=$?
  if [ "$code" != 0 ] && [ -S "$work/docker.sock" ]; then
    compose ps -a 2>&1 | cut -c 1-150 || true
    # shellcheck disable=SC2046
    compose logs --tail 20 $(unhealthy | cut -d ' ' -f 1) 2>&1 | cut -c 1-250 || true
  fi
  if [ -n "${KEEP:-}" ]; then
    say "Left running: docker --host unix://$work/docker.sock …; the service is at http://127.0.0.1:8000 within nsenter --net=/run/netns/$namespace"
    exit "$code"
  fi
  rm -f "$going"
  [ -z "${forwarder:-}" ] || kill "$forwarder" 2> /dev/null || true
  stop_engine
  rm -rf "$work"
  [ "$code" = 0 ] && say 'PROVED' || say 'NOT PROVED'
  exit "$code"
}

[ "$(id -u)" = 0 ] || fail 'This script must run as root, because dockerd requires it.'
[ ! -e "$work" ] || fail "$work exists: another run is in progress or was killed. Remove the folder."
mkdir -p "$work/docker-config" "$work/trees"
trap finish EXIT
trap 'exit 130' INT TERM

step 'Programs'
get_programs
step 'Docker engine'
start_engine
docker_ version --format 'engine {{.Server.Version}}, storage '"$(docker_ info --format '{{.Driver}}')"
step 'Stand-in images'
import_images

step 'Compose refuses to start without secrets'
: > "$work/env"
if refusal=$(compose config 2>&1); then fail 'It started without secrets.'; fi
say "$refusal" | tail -n 1
rm "$work/env"
sh "$root/deploy/make-env.sh" "$work/env"
service_key=$(sed -n 's/^SERVICE_API_KEY=//p' "$work/env")

step 'docker compose up --build --wait'
come_up --build
docker_ image ls troupe --format '{{.Repository}}:{{.Tag}} {{.Size}}'
if [ -n "${CHAOS:-}" ]; then
  chaos "$CHAOS" "${SEED:-$RANDOM}"
  exit
fi
step 'The same with the optional files for container logs and metrics'
echo "DOCKER_SOCKET=$work/docker.sock" >> "$work/env"
compose_files docker-compose.yml deploy/container-logs.yml deploy/metrics.yml
come_up
compose ps --all --format 'table {{.Service}}\t{{.Image}}\t{{.Status}}'
[ -z "$(unhealthy)" ] || fail "not healthy: $(unhealthy)"

step 'The demo, through the proxy'
within env PATH="$root/node_modules/.bin:$PATH" HOST=127.0.0.1 PORT=8000 SERVICE_API_KEY="$service_key" \
  timeout 180 "$node" "$root/dev/demo.ts"

step 'Memory, after the demo'
memory

# shellcheck disable=SC2086
run_tests ${TESTS:-test/cluster/processes.test.ts}

step 'Metrics: Prometheus finds and reads every process'
for tries in $(seq 60); do
  targets=$(within curl -sf 'http://127.0.0.1:9091/api/v1/query?query=up' | "$node" -e '
    const { data } = JSON.parse(require("fs").readFileSync(0, "utf8"))
    console.log(data.result.map(({ metric, value }) => `${metric.job} ${value[1]}`).sort().join(", "))')
  [ "$targets" = 'api 1, api 1, temporal 1, worker 1, worker 1, worker 1' ] && break
  [ "$tries" = 60 ] && fail "Prometheus sees $targets"
  sleep 1
done
say "  $targets"

step 'Containers, logs, pools; then killed: a worker, an API, the MongoDB primary, the Temporal server, the pool, PostgreSQL'
within env DOCKER_SOCKET_PATH="$work/docker.sock" SERVICE_API_KEY="$service_key" URL=http://127.0.0.1:8000 \
  "$node" "$root/deploy/prove/survive.ts"

upgrade
rotate_keys
change_other_secrets
die_at_once
step 'Memory, after the load'
memory
backup_and_restore

step 'An orderly stop: every process ends by itself'
compose stop --timeout 60 2>&1 | grep -iE 'error' || true
compose ps --all --format '{{.Service}} exit {{.ExitCode}}' | sort | uniq -c
compose ps --all --format '{{.Service}} {{.ExitCode}}' | grep -E '^(api|worker|worker-machines) ' | grep -vE ' 0$' \
  && fail 'A process of the service did not end by itself.'

step 'Started again: the data is still there'
come_up
within curl -sf -H "X-API-Key: $service_key" 'http://127.0.0.1:8000/api/metrics' && say
