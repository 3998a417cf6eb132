import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES_FILES = /\.(html|js|json)$/;

const reversed = (word: string): string => word.split('').toReversed().join('');

/** `screen-abc_def.js` becomes `screen-fed_cba.js`: as long as before, and unlike every name of the build before. */
function renamed(name: string): string {
  const [start, hash] = [name.slice(0, -10), name.slice(-10, -3)];
  const turned = reversed(hash);
  return `${start}${turned === hash ? '0000000' : turned}.js`;
}

/** Pages whose words are another's now have another revision, else the worker keeps those it has. */
const revised = (worker: string): string =>
  worker.replaceAll(
    /"revision":"(\w+)","url":"(index|start)\.html"/g,
    (_, revision: string, page: string) => `"revision":"${reversed(revision)}","url":"${page}.html"`,
  );

/** Puts another build in the place of the one in `dist`: every script has another name, and those of before are gone. */
export function deployNextBuild(dist: string): void {
  const assets = join(dist, 'assets');
  const names = new Map(
    readdirSync(assets)
      .filter(each => each.endsWith('.js'))
      .map(each => [each, renamed(each)]),
  );
  const renew = (file: string) => {
    const words = readFileSync(file, 'utf8').replaceAll(/[\w.-]+\.js/g, each => names.get(each) ?? each);
    writeFileSync(file, file.endsWith('sw.js') ? revised(words) : words);
  };
  for (const folder of [dist, assets])
    for (const each of readdirSync(folder)) {
      const file = join(folder, each);
      // The server would send the words of before.
      if (/\.(br|gz)$/.test(each)) rmSync(file);
      else if (NAMES_FILES.test(each)) renew(file);
    }
  for (const [before, after] of names) renameSync(join(assets, before), join(assets, after));
}
