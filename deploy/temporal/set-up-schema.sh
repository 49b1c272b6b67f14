#!/bin/sh
# Creates Temporal's databases and brings their schema to the version of this image; what is there already is kept.
set -eu
export SQL_PASSWORD="$POSTGRES_PASSWORD"
tool() { temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_HOST" -p 5432 -u temporal "$@"; }

for name in temporal visibility; do
  database=temporal
  [ "$name" = temporal ] || database=temporal_visibility
  # It fails where the database is missing; a version that is there already is left alone.
  tool --db "$database" setup-schema -v 0.0 || {
    tool --db "$database" create-database
    tool --db "$database" setup-schema -v 0.0
  }
  tool --db "$database" update-schema --schema-name "postgresql/v12/$name"
done
