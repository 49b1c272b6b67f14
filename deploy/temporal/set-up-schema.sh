#!/bin/sh
# Creates Temporal's databases and migrates their schema to the version of this image. Existing data is kept.
set -eu
export SQL_PASSWORD="$POSTGRES_PASSWORD"
tool() { temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_HOST" -p 5432 -u temporal "$@"; }

for name in temporal visibility; do
  database=temporal
  [ "$name" = temporal ] || database=temporal_visibility
  # Fails if the database is missing; does not change an existing version.
  tool --db "$database" setup-schema -v 0.0 || {
    tool --db "$database" create-database
    tool --db "$database" setup-schema -v 0.0
  }
  tool --db "$database" update-schema --schema-name "postgresql/v12/$name"
done
