# Provides the programs for the substitute images, in the folder $programs; sourced by prove.sh. Missing programs are built once
# from Go modules, in the versions of the images in docker-compose.yml.

go_install() { # <name> <module path> <version> <name of the built program>
  local target="$programs/$1"
  if [ -x "$target" ]; then return; fi
  say "Building $1 ($2@$3); this takes minutes, once."
  local folder
  folder=$(mktemp -d)
  GOBIN="$folder" GOFLAGS=-p=1 nice -n 15 go install -ldflags='-s -w' "$2@$3"
  mv "$folder/$4" "$target"
  rmdir "$folder"
}

get_programs() {
  mkdir -p "$programs"
  go_install temporal-server go.temporal.io/server/cmd/server v1.29.1 server
  go_install temporal-sql-tool go.temporal.io/server/cmd/tools/sql v1.29.1 sql
  go_install temporal github.com/temporalio/cli/cmd/temporal v1.5.1 temporal
  go_install temporal-ui-server github.com/temporalio/ui-server/v2/cmd/server v2.42.1 server
  go_install versitygw github.com/versity/versitygw/cmd/versitygw v1.8.0 versitygw
  go_install caddy github.com/caddyserver/caddy/v2/cmd/caddy v2.11.7 caddy
  go_install docker-compose github.com/docker/compose/v2/cmd v2.28.1 cmd
  [ -x "$programs/mongod" ] || fail "$programs/mongod is missing: run \"npm test\" once, which downloads it."
  ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1 || fail 'PostgreSQL is missing: apt-get install postgresql'
  local program
  for program in dockerd docker busybox setpriv ip iptables nsenter prometheus; do
    command -v "$program" > /dev/null ||
      fail "$program is missing: apt-get install docker.io busybox-static iproute2 iptables prometheus"
  done
}
