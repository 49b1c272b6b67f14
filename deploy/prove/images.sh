# Builds substitutes for the images of docker-compose.yml on a machine that cannot pull images; sourced by prove.sh. File trees
# with the same servers, taken from this machine, are imported under the same image names. Each has the user, the folders and
# the entrypoint that the compose file relies on.

image_of() { grep -ohE "image: $1:[^ ]+" "$root/docker-compose.yml" "$root"/deploy/*.yml | head -n 1 | cut -d ' ' -f 2; }

# Copies a program and its shared libraries.
take() { # <tree> <program> <path in the tree>
  install -D -m 755 "$(readlink -f "$2")" "$1$3"
  local library
  for library in $(ldd "$2" 2> /dev/null | grep -oE '/[^ ]+' || true); do
    [ -e "$1$library" ] || install -D -m 755 "$(readlink -f "$library")" "$1$library"
  done
}

# Creates a tree with a shell, its tools, and the files for name resolution.
new_tree() { # <name> <user> <user id>
  local tree="$work/trees/$1"
  mkdir -p "$tree/bin" "$tree/tmp" "$tree/etc" "$tree/root" "$tree/usr/local/bin" "$tree/etc/ssl/certs"
  chmod 1777 "$tree/tmp"
  cp "$(command -v busybox)" "$tree/bin/busybox"
  local tool
  for tool in $("$tree/bin/busybox" --list); do [ "$tool" = busybox ] || ln -sf busybox "$tree/bin/$tool"; done
  printf 'root:x:0:0::/root:/bin/sh\n%s:x:%s:%s::/tmp:/bin/sh\n' "$2" "$3" "$3" > "$tree/etc/passwd"
  printf 'root:x:0:\n%s:x:%s:\n' "$2" "$3" > "$tree/etc/group"
  echo 'hosts: files dns' > "$tree/etc/nsswitch.conf"
  # The complete C library, as in every Debian image, because native modules load parts of it at run time.
  local library
  for library in $(dpkg -L libc6 libgcc-s1 libstdc++6 | grep -E '^/lib.*\.so[.0-9]*$|^/usr/lib/.*/libstdc.*\.so[.0-9]*$'); do
    [ ! -f "$library" ] || install -D -m 755 "$(readlink -f "$library")" "$tree$library"
  done
  echo "$tree"
}

import() { # <tree> <image> <change> …
  local tree="$1" image="$2"
  shift 2
  local changes=()
  for change in 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' "$@"; do changes+=(--change "$change"); done
  tar -C "$tree" -c . | docker_ import "${changes[@]}" - "$image" > /dev/null
  say "  $image"
  rm -rf "$tree"
}

import_node() {
  local tree
  tree=$(new_tree node node 1000)
  take "$tree" "$root/node_modules/node/bin/node" /usr/local/bin/node
  rm -f "$tree/bin/bash"
  take "$tree" "$(command -v bash)" /bin/bash
  mkdir -p "$tree/usr/local/lib/node_modules"
  cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$tree/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$tree/usr/local/bin/npm"
  mkdir -p "$tree/usr/bin" && ln -s /bin/busybox "$tree/usr/bin/env"
  # A network that inspects TLS has its own CA, which npm needs during the image build.
  cp /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/build.pem"
  import "$tree" "$(grep -oE 'node:[0-9][^ ]+' "$root/Dockerfile" | head -n 1)" \
    'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/build.pem' 'CMD ["node"]'
}

import_mongo() {
  local tree
  tree=$(new_tree mongo mongodb 999)
  take "$tree" "$programs/mongod" /usr/bin/mongod
  rm -f "$tree/bin/bash"
  take "$tree" "$(command -v bash)" /bin/bash
  install -d -o 999 -g 999 "$tree/data/db" "$tree/data/configdb"
  import "$tree" "$(image_of mongo)" 'VOLUME ["/data/db"]' 'CMD ["mongod"]'
}

import_postgres() {
  local tree folder
  tree=$(new_tree postgres postgres 70)
  folder=$(ls -d /usr/lib/postgresql/* | sort -V | tail -n 1)
  mkdir -p "$tree/usr/lib/postgresql" "$tree/usr/share/postgresql" "$tree/usr/share/zoneinfo"
  cp -a "$folder" "$tree/usr/lib/postgresql/"
  cp -a "/usr/share/postgresql/${folder##*/}" "$tree/usr/share/postgresql/"
  cp /usr/share/zoneinfo/UTC "$tree/usr/share/zoneinfo/" 2> /dev/null || true
  local program
  for program in postgres initdb pg_isready psql pg_dump; do take "$tree" "$folder/bin/$program" "$folder/bin/$program"; done
  take "$tree" "$(command -v setpriv)" /usr/local/bin/setpriv
  install -d -o 70 -g 70 "$tree/var/lib/postgresql/data" "$tree/var/run/postgresql"
  # Does the same as the entrypoint of the original image with these variables.
  cat > "$tree/usr/local/bin/entrypoint.sh" << 'END'
#!/bin/sh
set -eu
chown postgres: "$PGDATA" && chmod 700 "$PGDATA"
as_postgres() { /usr/local/bin/setpriv --reuid 70 --regid 70 --clear-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password && chown postgres /tmp/password
  as_postgres initdb -U "$POSTGRES_USER" --auth-local=trust --auth-host=scram-sha-256 --pwfile=/tmp/password
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | as_postgres postgres --single -D "$PGDATA" postgres > /dev/null
fi
exec /usr/local/bin/setpriv --reuid 70 --regid 70 --clear-groups postgres -c 'listen_addresses=*'
END
  chmod 755 "$tree/usr/local/bin/entrypoint.sh"
  import "$tree" "$(image_of postgres)" "ENV PATH=$folder/bin:/usr/local/bin:/usr/bin:/bin" \
    'ENV PGDATA=/var/lib/postgresql/data' 'VOLUME ["/var/lib/postgresql/data"]' \
    'ENTRYPOINT ["/usr/local/bin/entrypoint.sh"]'
}

import_temporal() {
  local tree
  tree=$(new_tree temporal temporal 1000)
  take "$tree" "$programs/temporal-server" /usr/local/bin/temporal-server
  import "$tree" "$(image_of temporalio/server)" 'USER temporal' 'WORKDIR /tmp'
  tree=$(new_tree admin-tools temporal 1000)
  take "$tree" "$programs/temporal-sql-tool" /usr/local/bin/temporal-sql-tool
  take "$tree" "$programs/temporal" /usr/local/bin/temporal
  import "$tree" "$(image_of temporalio/admin-tools)" 'USER temporal' 'WORKDIR /tmp'
  tree=$(new_tree ui temporal 1000)
  take "$tree" "$programs/temporal-ui-server" /home/ui-server/ui-server
  install -D -m 644 "$(go env GOMODCACHE)/github.com/temporalio/ui-server/v2@v2.42.1/config/docker.yaml" \
    "$tree/home/ui-server/config/docker.yaml"
  import "$tree" "$(image_of temporalio/ui)" 'USER temporal' 'WORKDIR /home/ui-server' \
    'ENTRYPOINT ["./ui-server", "--env", "docker", "start"]'
}

import_others() {
  local tree
  tree=$(new_tree s3 root 0)
  take "$tree" "$programs/versitygw" /app/versitygw
  import "$tree" "$(image_of versity/versitygw)" 'ENTRYPOINT ["/app/versitygw"]'
  tree=$(new_tree proxy root 0)
  take "$tree" "$programs/caddy" /usr/bin/caddy
  mkdir -p "$tree/etc/caddy" "$tree/data"
  import "$tree" "$(image_of caddy)" 'ENV XDG_DATA_HOME=/data' 'WORKDIR /srv' \
    'CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]'
  tree=$(new_tree prometheus nobody 65534)
  take "$tree" "$(command -v prometheus)" /bin/prometheus
  install -d -o 65534 -g 65534 "$tree/prometheus"
  import "$tree" "$(image_of prom/prometheus)" 'USER nobody' 'WORKDIR /prometheus' 'VOLUME ["/prometheus"]' \
    'ENTRYPOINT ["/bin/prometheus"]' \
    'CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]'
}

import_images() {
  import_node
  import_mongo
  import_postgres
  import_temporal
  import_others
}
