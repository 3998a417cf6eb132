#!/usr/bin/env bash
# @postgrestools/postgrestools 0.25.7: a function in SQL whose body holds two statements is called a syntax error.
#
# `create function … language sql as $$ delete …; delete … $$` is valid: a body in SQL is a list of statements. `postgrestools check`
# says "No root node found in parse result" (category syntax, an error, exit code 1) at the first letter of the body, also where its
# last statement ends with a semicolon; one statement alone is taken, and so are many in PL/pgSQL.
#
# Instead: write such a body in PL/pgSQL (`begin …; …; end`), or as SQL's `begin atomic …; …; end`, which is taken too.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @postgrestools/postgrestools@0.25.7
one='delete from a where id = 1'
two="$one; delete from b where id = 1"
cat >one.sql <<SQL
create function f() returns void language sql as \$\$ $one \$\$;
SQL
cat >two.sql <<SQL
create function f() returns void language sql as \$\$ $two \$\$;
SQL
cat >two-ended.sql <<SQL
create function f() returns void language sql as \$\$ $two; \$\$;
SQL
cat >plpgsql.sql <<SQL
create function f() returns void language plpgsql as \$\$ begin $two; end \$\$;
SQL
cat >atomic.sql <<SQL
create function f() returns void language sql begin atomic $two; end;
SQL
seen=''
for file in one two two-ended plpgsql atomic; do
  answer=$(npx postgrestools check --disable-db "$file.sql" 2>&1) && code=0 || code=$?
  said=$(grep -o 'No root node found' <<<"$answer" | head -1 || true)
  echo "$file: exit $code ${said}"
  seen+="$code${said:+!} "
done
[ "$seen" = '0 1! 1! 0 0 ' ]
