# Runs a separate Docker engine in its own network namespace; sourced by prove.sh. The only changes to the network of this machine
# are a veth pair, one NAT rule and IP forwarding, through which the build reaches the package registry. They are reverted at the
# end.

namespace=troupe-prove
outside=10.213.7.1
inside=10.213.7.2
forwarding=/proc/sys/net/ipv4/ip_forward
forwarded_before=$(cat "$forwarding")

# Runs a command in the engine's network.
within() { nsenter --net="/run/netns/$namespace" "$@"; }
docker_() { docker --host "unix://$work/docker.sock" "$@"; }
# Selects the compose files for all following commands.
compose_files() {
  compose_command="$programs/docker-compose --project-directory $root --env-file $work/env"
  local file
  for file in "$@"; do compose_command="$compose_command -f $root/$file"; done
}
# Runs a command with the environment of this Docker engine, and with the compose command in COMPOSE.
operate() { env DOCKER_HOST="unix://$work/docker.sock" DOCKER_CONFIG="$work/docker-config" BUILD_NETWORK=host COMPOSE="$compose_command" "$@"; }
# shellcheck disable=SC2086
compose() { operate $compose_command "$@"; }

start_engine() {
  ip netns add "$namespace"
  ip link add troupe-out type veth peer name troupe-in
  ip link set troupe-in netns "$namespace"
  ip addr add "$outside/30" dev troupe-out
  ip link set troupe-out up
  within ip addr add "$inside/30" dev troupe-in
  within ip link set troupe-in up
  within ip link set lo up
  within ip route add default via "$outside"
  iptables -t nat -A POSTROUTING -s "$inside/32" -j MASQUERADE
  echo 1 > "$forwarding"
  # Does not use within(): $! must be the id of dockerd itself, so that it can be stopped.
  nsenter --net="/run/netns/$namespace" dockerd --host "unix://$work/docker.sock" --data-root "$work/engine" --exec-root "$work/run" \
    --pidfile "$work/dockerd.pid" > "$work/dockerd.log" 2>&1 &
  engine_pid=$!
  local tries
  for tries in $(seq 120); do
    docker_ info > /dev/null 2>&1 && return
    kill -0 "$engine_pid" 2> /dev/null || break
    sleep 0.5
  done
  tail -n 20 "$work/dockerd.log" >&2
  fail "dockerd did not start (asked $tries times)."
}

# Simulates a power failure of the containers. The Docker engine keeps running and restarts them, all at once.
kill_everything() {
  docker_ ps --quiet | xargs docker --host "unix://$work/docker.sock" inspect --format '{{.State.Pid}}' | xargs kill -9
}

stop_engine() {
  if [ -n "${engine_pid:-}" ] && kill -0 "$engine_pid" 2> /dev/null; then
    docker_ ps -aq | xargs -r docker --host "unix://$work/docker.sock" rm -f > /dev/null 2>&1 || true
    kill "$engine_pid" 2> /dev/null || true
    wait "$engine_pid" 2> /dev/null || true
  fi
  iptables -t nat -D POSTROUTING -s "$inside/32" -j MASQUERADE 2> /dev/null || true
  echo "$forwarded_before" > "$forwarding"
  ip link del troupe-out 2> /dev/null || true
  ip netns del "$namespace" 2> /dev/null || true
}
