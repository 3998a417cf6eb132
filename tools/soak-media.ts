import { findChromium } from './chromium.ts';
import { runCommand } from './run-command.ts';

// Files over the lines that are promised: npm run soak:media -- [MEDIA_MB=50] [PHOTOS=100] [SEED=…]
const given = Object.fromEntries(process.argv.slice(2).map(each => each.split('=', 2)));
const SEED = String(Date.now() % 1_000_000);
const settings: Record<string, string> = { MEDIA_MB: '50', PHOTOS: '100', SEED, ...given };
console.log(
  Object.entries(settings)
    .map(setting => setting.join('='))
    .join(' '),
);
const env = { ...settings, MEDIA_LINE: 'slow', CHROMIUM_PATH: await findChromium() };
const file = 'packages/sync/src/files/media-line.db.test.ts';
const big = await runCommand('vitest', ['run', '--project', 'database', file], { echo: true, env });
const journey = ['test', '-c', 'e2e/playwright.config.ts', 'photos.spec'];
const photos = await runCommand('playwright', journey, { echo: true, env });
const lines = [big, photos].flatMap(({ output }) => output.match(/^.*(media-line|photos) \d+.*$/gm) ?? []);
console.log(`\n${lines.join('\n')}`);
process.exitCode = big.code === 0 && photos.code === 0 ? 0 : 1;
