import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../../../..');

/** Every way a browser has to speak to a server, and the libraries that wrap them. */
const CALLS =
  /\bfetch\s*\(|\bfetch\.(?:call|apply|bind)\b|=\s*(?:globalThis|window|self)\.fetch\b|\bXMLHttpRequest\b|\bnew WebSocket\b|\bnew EventSource\b|\bsendBeacon\b|from '(?:axios|ky|tus-js-client)'/g;

/** Sources that run in the browser; comments do not call anybody. */
function callsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return text.match(CALLS) ?? [];
}

const browserSources = [
  'apps/web/src',
  'apps/web/public',
  'packages/base/src',
  'packages/core/src',
  'packages/sync/src',
  'packages/ui/src',
]
  .flatMap(folder => globSync(join(ROOT, folder, '**/*.{ts,tsx,js}')))
  .filter(file => !/\.test\.tsx?$/.test(file));

describe('R7.01 the backend is reached through the client library alone', () => {
  test('no source of the app calls the network itself, but for reading its own config.json', () => {
    expect(browserSources.length).toBeGreaterThan(150);
    const calling = new Set(
      browserSources.flatMap(file => callsIn(file).map(call => `${relative(ROOT, file)}: ${call}`)),
    );
    expect([...calling].toSorted()).toEqual([
      'apps/web/src/app/session/client/config.ts: fetch(',
      // Letter tables and decoders of the PDF reader: files of the build itself, kept on the device.
      'apps/web/src/features/policies/document/pdf-engine.ts: fetch(',
      // Fonts of a report: files of the build itself, kept on the device.
      'apps/web/src/shared/report/report-face-files.ts: fetch(',
      // Stands in for the client's own fetch where bytes go up: fetch cannot tell how far it is.
      'packages/sync/src/transport/telling-progress.ts: XMLHttpRequest',
    ]);
    const config = readFileSync(join(ROOT, 'apps/web/src/app/session/client/config.ts'), 'utf8');
    expect(config.match(/\bfetch\([^,)]*/g)).toEqual(["fetch('/config.json'"]);
  });

  test('one source makes the client, from the official library', () => {
    const making = browserSources.filter(file => /\bcreateClient\s*\(/.test(readFileSync(file, 'utf8')));
    expect(making.map(file => relative(ROOT, file))).toEqual(['apps/web/src/app/session/client/supabase-gate.ts']);
    expect(readFileSync(making[0] ?? '', 'utf8')).toMatch(
      /import \{[^}]*\bcreateClient\b[^}]*\} from '@supabase\/supabase-js'/,
    );
  });
});
