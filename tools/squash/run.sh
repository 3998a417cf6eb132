#!/bin/sh
# sh tools/squash/run.sh <git ref that has the migrations as they were> [--without-moves]
# Makes supabase/migrations of that ref anew as a baseline cut by area, renames callers, compares, and writes what is generated.
set -eu
ref=$1
moves=${2:-}
root=$(git rev-parse --show-toplevel)
cd "$root"
was=$(mktemp -d)
git archive "$ref" supabase/migrations | tar -x -C "$was"
if [ "$moves" = --without-moves ]; then
  node tools/squash/squash.mjs "$was/supabase/migrations" supabase/migrations
  node tools/compare-schemas.ts "$was/supabase/migrations" supabase/migrations
else
  node tools/squash/squash.mjs "$was/supabase/migrations" supabase/migrations tools/squash/renames.tsv
  node tools/squash/rename-callers.mjs tools/squash/renames.tsv
  node tools/compare-schemas.ts "$was/supabase/migrations" supabase/migrations tools/squash/renames.tsv tools/squash/expected.txt > "$was/compared" || { cat "$was/compared"; exit 1; }
  grep -v '^moved: ' "$was/compared"
fi
rm -rf "$was"
node tools/gen.ts
