#!/usr/bin/env bash
# @supabase/lite 0.10.0: what the database refuses (RAISE EXCEPTION, a broken CHECK, any SQLSTATE of a function's own) is answered with
# 500 and the code "SUP", where PostgREST says 400 and the SQLSTATE.
#
# A client that sends its work again after a fault (5xx) and gives up after a refusal (4xx) sends a refused record for ever. Seen with
# PGlite underneath: RAISE EXCEPTION and sqlstate P0002 -> 500 SUP (PostgREST: 400, P0001 and P0002); a CHECK -> 500 SUP (400, 23514).
# Foreign keys (409, 23503) and values out of range (400, 22003) are answered as PostgREST does.
#
# Instead: give the connection a `normalizeDbError` that wraps each error the way PostgREST reads RAISE SQLSTATE 'PGRST' (code, message,
# details and hint as JSON in the message, status in the detail); the library honours that.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @supabase/lite@0.10.0 @electric-sql/pglite@0.4.5
cat >try.mjs <<'JS'
import { App } from '@supabase/lite';
import { createPgliteConnection } from '@supabase/lite/pglite';
console.error = () => {};
const connection = await createPgliteConnection();
const off = { enabled: false };
const app = new App({
  connection,
  api: { enabled: true, schemas: ['public'] },
  auth: off,
  storage: off,
  studio: off,
  options: { server: { disableStudio: true, admin: false } },
});
await connection.exec('create table items (id int primary key, n int check (n > 0), parent int references items (id))');
await connection.exec(`create function fail() returns int language plpgsql as $$ begin raise exception 'no luck'; end $$`);
await connection.exec(
  `create function missing() returns int language plpgsql as $$ begin raise sqlstate 'P0002' using message = 'missing'; end $$`,
);
await app.init();
async function post(path, body) {
  const request = new Request(`http://localhost/rest/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await app.fetch(request);
  const said = `${answer.status} ${(await answer.json()).code}`;
  console.log(path, JSON.stringify(body), said);
  return said;
}
const seen = [
  await post('rpc/fail', {}),
  await post('rpc/missing', {}),
  await post('items', { id: 1, n: -1 }),
  await post('items', { id: 2, n: 1, parent: 99 }),
  await post('items', { id: 99999999999, n: 1 }),
];
process.exit(seen.join() === '500 SUP,500 SUP,500 SUP,409 23503,400 22003' ? 0 : 1);
JS
node try.mjs
