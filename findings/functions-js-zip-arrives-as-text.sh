#!/usr/bin/env bash
# @supabase/functions-js 2.119.0: `invoke` hands out a file of most kinds as a text, broken; only PDF and octet-stream come as bytes.
#
# An edge function that answers a zip, a picture, a workbook or any other file with its true media type is decoded as UTF-8 on the
# client: each byte that is no UTF-8 becomes U+FFFD, and nothing tells so (no error, `data` is a string of about the right length).
# Seen: application/zip and image/png -> string; application/pdf and application/octet-stream -> Blob.
#
# Instead: let the function answer application/octet-stream, with the true kind in a header of its own, or fetch the function's address
# directly with the session's token.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @supabase/functions-js@2.119.0
cat >try.mjs <<'JS'
import { createServer } from 'node:http';
import { once } from 'node:events';
import { FunctionsClient } from '@supabase/functions-js';
const BYTES = Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0x80, 0]);
const server = createServer((request, answer) => {
  answer.writeHead(200, { 'content-type': decodeURIComponent(request.url.slice(1)) });
  answer.end(BYTES);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const client = new FunctionsClient(`http://127.0.0.1:${server.address().port}`);
const seen = {};
for (const type of ['application/zip', 'image/png', 'application/pdf', 'application/octet-stream']) {
  const { data, error } = await client.invoke(encodeURIComponent(type));
  const isWhole = data instanceof Blob && Buffer.from(await data.arrayBuffer()).equals(BYTES);
  seen[type] = isWhole ? 'bytes' : typeof data;
  console.log(`${type}: ${seen[type]}, error ${error}`);
}
server.close();
const holds =
  seen['application/zip'] === 'string' &&
  seen['image/png'] === 'string' &&
  seen['application/pdf'] === 'bytes' &&
  seen['application/octet-stream'] === 'bytes';
process.exit(holds ? 0 : 1);
JS
node try.mjs
