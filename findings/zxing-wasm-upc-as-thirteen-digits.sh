#!/usr/bin/env bash
# zxing-wasm 3.1.3 (what barcode-detector 3.2.2 reads with): a UPC-A label reads as 13 digits with a zero in front, a UPC-E label as its
# expansion, also where only that format was asked for.
#
# A register of assets holds what is printed: 12 digits of UPC-A, 8 of UPC-E. The reader says "UPCA" and hands out 13 digits, "UPCE" and
# hands out 13 digits that stand nowhere on the label; with all formats on, a UPC-A label is called "EAN13". Compared as texts, no asset
# is found. Seen: UPCA "036000291452" -> "0036000291452"; UPCE "01234565" -> "0012345000065"; EAN8 and Code39 come as they are printed.
#
# Instead: compare codes of 8, 12, 13 and 14 digits as GTIN-14 (zeros in front, UPC-E expanded first), never as texts, and do not trust
# the name of the format to tell how many digits follow.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts zxing-wasm@3.1.3
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { prepareZXingModule as prepareWriter, writeBarcode } from 'zxing-wasm/writer';
import { prepareZXingModule as prepareReader, readBarcodes } from 'zxing-wasm/reader';
const wasm = name => readFileSync(new URL(`node_modules/zxing-wasm/dist/${name}`, import.meta.url)).buffer;
prepareWriter({ overrides: { wasmBinary: wasm('writer/zxing_writer.wasm') } });
prepareReader({ overrides: { wasmBinary: wasm('reader/zxing_reader.wasm') } });
const seen = {};
for (const [format, printed] of [['UPCA', '036000291452'], ['UPCE', '01234565'], ['EAN8', '96385074'], ['Code39', 'ABC-123']]) {
  const { image } = await writeBarcode(printed, { format, scale: 3 });
  const [code] = await readBarcodes(new Uint8Array(await image.arrayBuffer()), { formats: [format] });
  seen[format] = code.text;
  console.log(`${format}: printed ${printed}, read ${code.text}`);
}
const holds =
  seen.UPCA === '0036000291452' && seen.UPCE === '0012345000065' && seen.EAN8 === '96385074' && seen.Code39 === 'ABC-123';
process.exit(holds ? 0 : 1);
JS
node try.mjs
