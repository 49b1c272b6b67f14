# Operations on a running service: an upgrade, new keys and passwords, a backup and its restore, and the death of the machine;
# sourced by prove.sh. Each runs under load, and all accepted executions must complete, each step once.

going="$work/going"
accepted="$work/accepted"

client() { # <program> [<file of ids>]
  within env URL=http://127.0.0.1:8000 SERVICE_API_KEY="$service_key" GOING="$going" ACCEPTED="${2:-$accepted}" \
    "$node" "$root/deploy/prove/$1.ts"
}
setting() { sed -i "/^$1=/d" "$work/env" && echo "$1=$2" >> "$work/env"; }
secret() { openssl rand -hex 24; }
roll() {
  local service
  for service in "$@"; do
    operate sh "$root/deploy/roll.sh" "$service" > "$work/roll.log" 2>&1 || { tail "$work/roll.log"; fail "$service did not roll."; }
  done
}
answers() { within curl -s -o /dev/null -w '%{http_code}' -H "X-API-Key: $1" http://127.0.0.1:8000/api/agents; }

begin_load() {
  : > "$accepted"
  touch "$going"
  client load &
  load=$!
  # Wait until the batch and some prompts are accepted.
  until [ "$(wc -l < "$accepted")" -gt 210 ]; do kill -0 "$load" || fail 'The load broke off.'; sleep 0.5; done
}
end_load() {
  rm "$going"
  wait "$load"
  client settled
}

upgrade() {
  step 'Upgrade under load: another image, another ADMIN_PORT, tracing external; a container goes when its successor is healthy'
  setting TROUPE_IMAGE troupe:next
  setting ADMIN_PORT 9191
  setting TRACING external
  setting OTEL_EXPORTER_OTLP_ENDPOINT http://127.0.0.1:4318
  setting RESPONSE_OFFLOAD_BYTES 200
  compose build api > "$work/build.log" 2>&1 || { tail "$work/build.log"; fail 'It did not build.'; }
  begin_load
  roll worker worker-machines api
  compose ps --format 'table {{.Service}}\t{{.Image}}\t{{.Status}}' | grep -E '^(SERVICE|api|worker)'
  [ "$(compose ps --format '{{.Image}} {{.Status}}' api worker worker-machines | grep -c '^troupe:next .*(healthy)')" = 5 ] ||
    fail 'Not all of the service is new.'
  within curl -s "http://127.0.0.1:8000/api/health" -H "X-API-Key: $service_key" | grep -o '"backend":"external"' || fail 'Health does not say that tracing is external.'
  end_load
}

rotate_keys() {
  step 'A new SERVICE_API_KEY beside the old one, then alone'
  local old="$service_key" new
  new=$(secret)
  setting SERVICE_API_KEY "$new,$old"
  begin_load
  roll api
  say "  both valid: new $(answers "$new"), old $(answers "$old")"
  end_load
  setting SERVICE_API_KEY "$new"
  roll api
  service_key="$new"
  local after="new $(answers "$new"), old $(answers "$old")"
  say "  one valid:  $after"
  [ "$after" = 'new 200, old 401' ] || fail 'The keys did not change.'

  step 'A new MONGODB_PASSWORD under load'
  setting MONGODB_PASSWORD "$(secret)"
  begin_load
  compose run --rm --no-deps mongo-init 2> /dev/null
  roll worker worker-machines api
  end_load
}

change_other_secrets() {
  step 'New secrets of PostgreSQL, the object store and the replica set, all at once'
  local password
  password=$(secret)
  begin_load
  compose exec -T postgres psql -q -U temporal -c "ALTER USER temporal PASSWORD '$password'"
  setting POSTGRES_PASSWORD "$password"
  setting S3_SECRET_KEY "$(secret)"
  setting MONGODB_KEYFILE "$(openssl rand -hex 256)"
  come_up
  end_load
}

die_at_once() {
  step 'Every process is killed at once, as when a machine dies; the containers start again in no order'
  begin_load
  kill_everything
  end_load
  for tries in $(seq 60); do [ -n "$(unhealthy)" ] || break; sleep 1; done
  [ -z "$(unhealthy)" ] || fail "not healthy: $(unhealthy)"
  [ "$(compose ps --quiet | wc -l)" = 15 ] || fail 'Not every container is back.'
}

backup_and_restore() {
  step 'Backup under load; then everything is deleted, and restored'
  begin_load
  cp "$accepted" "$work/accepted-before"
  operate sh "$root/deploy/backup.sh" "$work/backup" > "$work/backup.log" 2>&1 || { tail "$work/backup.log"; fail 'No backup.'; }
  (cd "$work/backup" && du -sh -- *) | sed 's/^/  /'
  end_load
  compose down --volumes > /dev/null 2>&1
  say "  volumes left: $(docker_ volume ls --quiet --filter label=com.docker.compose.project=troupe | wc -l)"
  operate sh "$root/deploy/restore.sh" "$work/backup" > "$work/restore.log" 2>&1 || { tail "$work/restore.log"; fail 'No restore.'; }
  client settled "$work/accepted-before"
}

# Runs tests of the suite against the servers of this installation instead of embedded ones.
run_tests() { # <files>
  step "Tests against these servers: $*"
  address() { docker_ inspect --format '{{(index .NetworkSettings.Networks "troupe_servers").IPAddress}}' "$(compose ps --quiet "$1")"; }
  secret_of() { sed -n "s/^$1=//p" "$work/env"; }
  # The first node has the highest priority, so it is the primary while it is available.
  nsenter --net="/run/netns/$namespace" "$node" "$root/deploy/prove/forward.ts" \
    "27017=$(address mongo-1)" "7233=$(address temporal)" "7070=$(address s3)" &
  forwarder=$!
  (cd "$root" && within env PATH="$root/node_modules/.bin:$PATH" TEMPORAL_ADDRESS=127.0.0.1:7233 \
    MONGODB_URI="mongodb://root:$(secret_of MONGODB_ROOT_PASSWORD)@127.0.0.1:27017/?directConnection=true&authSource=admin" \
    S3_ENDPOINT=http://127.0.0.1:7070 S3_BUCKET=troupe AWS_ACCESS_KEY_ID=troupe AWS_SECRET_ACCESS_KEY="$(secret_of S3_SECRET_KEY)" \
    "$node" --import ./dev/end-with-npm.mjs dev/test.ts "$@")
  kill "$forwarder"
}

# Runs test/chaos against the processes of the containers.
chaos() { # <minutes> <seed>
  step "Chaos for $1 minutes, seed $2"
  setting DOCKER_SOCKET "$work/docker.sock"
  setting EFFECTS "$work/effects"
  setting JOURNAL "$work/journal"
  install -d -m 777 "$work/effects" "$work/journal"
  compose_files docker-compose.yml deploy/prove/chaos.yml
  come_up
  compose run --rm --no-deps --use-aliases chaos --minutes "$1" --seed "$2"
}
