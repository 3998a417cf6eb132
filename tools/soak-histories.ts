import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';

type Property = { name: string; invariants: string; project: 'unit' | 'database'; file: string; title: string };

const sync = (name: string, invariants: string, file: string, title: string): Property => ({
  name,
  invariants,
  project: file.endsWith('.db') ? 'database' : 'unit',
  file: `packages/sync/src/${file}.test.ts`,
  title,
});
const sql = (name: string, invariants: string, file: string, title: string): Property => ({
  name,
  invariants,
  project: 'database',
  file: `supabase/tests/${file}.test.ts`,
  title,
});

/** Every property that says `histories <name> …`, and what it holds: an invariant of docs/sync-proof.md, or a promise of an area. */
const PROPERTIES: readonly Property[] = [
  sync('two-devices', 'I1 I3 I4 I5 I7 I9', 'engine/two-devices.db', 'random offline edits'),
  sync('two-leaders', 'I2 I10', 'engine/two-leaders.db', 'I10 two leaders'),
  sync('rights', 'I1 I4 I6', 'access/rights.db', 'I6 whatever happens to rights'),
  sync('restore', 'I1 I4 I14', 'engine/restore.db', 'nothing acknowledged is missing'),
  sync('restore-pages', 'I4 I14', 'engine/restore-pages.db', 'a few changes at a time'),
  sync('send-order', 'I3', 'push/send-order', 'never arrives before'),
  sync('digest', 'I4', 'pull/digest.db', 'a copy spoilt in any way'),
  sync('rescue', 'I1 I2', 'recovery/rescue.db', 'out of rescue files'),
  sync('bulk-block', 'I1 I4', 'store/bulk-block', 'rows that landed are read'),
  sync('discards', 'I1 I4', 'outbox/discard.db', 'whatever is let go'),
  sync('crashes', 'I7 I8', 'engine/crashes', 'I8 an entry that kills'),
  sync('upgrade', 'I11', 'store/upgrade', 'comes over with everything'),
  sync('upgrade-killed', 'I11', 'store/upgrade', 'killed at any point'),
  sync('resumable-upload', 'I12', 'transport/resumable-upload', 'I12 whatever the line does'),
  sql('many-writers', 'I5', 'sync-feed', 'I5 a device that pulls'),
  sql('push-split', 'I2 I13', 'sync-push-split', 'I13 a batch pushed'),
  sql(
    'publish-race',
    'policies: publish racing acknowledge',
    'acknowledgements',
    'every word points at exactly the version',
  ),
  sql('approvals-at-once', 'policies: deciding at once', 'approvals', 'whoever decides at the same moment'),
  sql('push-runs', 'I13', 'sync-push-runs', 'mutations pushed together'),
];

type Tally = { histories: number; violations: number; seconds: number; seeds: number[] };
type SoakOptions = { histories: number; each: number; roundSeconds: number; minutes: number; only?: string };

/** What ran so far lies here: a soak that is stopped goes on where it was. */
const RESULTS = join(ROOT, 'soak-results', 'histories.json');
const NONE: Tally = { histories: 0, violations: 0, seconds: 0, seeds: [] };

function readTallies(): Map<string, Tally> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(RESULTS, 'utf8')) as Record<string, Tally>));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return new Map();
    throw error;
  }
}

/** Begins anew. */
export const forgetHistories = (): void => rmSync(RESULTS, { force: true });

const LINE = /histories (\S+) (\d+) violations (\d+) seconds (\S+) seed (\d+)/g;

async function round({ name, project, file, title }: Property, seconds: number): Promise<Tally> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const env = { HISTORY_SECONDS: String(seconds), SEED: String(seed) };
  const began = Date.now();
  const { code, output } = await runCommand('vitest', ['run', '--project', project, file, '-t', title], { env });
  const resultLine = [...output.matchAll(LINE)].find(line => line[1] === name);
  const violations = Number(resultLine?.[3] ?? 0) + (code !== 0 && resultLine?.[3] !== '1' ? 1 : 0);
  if (violations > 0) console.log(output);
  const took = (Date.now() - began) / 1000;
  return {
    histories: Number(resultLine?.[2] ?? 0),
    violations,
    seconds: Number(resultLine?.[4] ?? took),
    seeds: [seed],
  };
}

class Soak {
  private readonly tallies = readTallies();
  private readonly wanted: SoakOptions;
  private readonly properties: readonly Property[];
  private readonly until: number;

  constructor(wanted: SoakOptions) {
    this.wanted = wanted;
    this.properties = PROPERTIES.filter(({ name }) => wanted.only === undefined || name === wanted.only);
    if (this.properties.length === 0)
      throw new Error(`PROPERTY is one of ${PROPERTIES.map(({ name }) => name).join(', ')}`);
    this.until = Date.now() + wanted.minutes * 60_000;
  }

  of = (name: string): Tally => this.tallies.get(name) ?? NONE;

  total(): Tally {
    return this.properties.map(({ name }) => this.of(name)).reduce((sum, each) => added(sum, each), NONE);
  }

  /** Whoever has least of what each must have; then whoever ran the shortest time. */
  private next(underway: ReadonlySet<string>): Property | null {
    if (Date.now() >= this.until || this.total().violations > 0) return null;
    const free = this.properties.filter(({ name }) => !underway.has(name));
    const short = free.filter(({ name }) => this.of(name).histories < this.wanted.each);
    if (short.length > 0)
      return short.toSorted((a, b) => this.of(a.name).histories - this.of(b.name).histories)[0] ?? null;
    if (this.total().histories >= this.wanted.histories) return null;
    return free.toSorted((a, b) => this.of(a.name).seconds - this.of(b.name).seconds)[0] ?? null;
  }

  /** Two at a time: a property is one process, and most machines have two cores. */
  async run(): Promise<void> {
    const underway = new Set<string>();
    const worker = async () => {
      for (let property = this.next(underway); property; property = this.next(underway)) {
        underway.add(property.name);
        const ran = await round(property, this.wanted.roundSeconds);
        underway.delete(property.name);
        this.keep(property.name, added(this.of(property.name), ran));
        console.log(
          `${property.name}: ${ran.histories} histories, seed ${ran.seeds.join(' ')}, ${this.total().histories} in all`,
        );
      }
    };
    await Promise.all([worker(), worker()]);
  }

  private keep(name: string, tally: Tally): void {
    this.tallies.set(name, tally);
    mkdirSync(join(RESULTS, '..'), { recursive: true });
    writeFileSync(RESULTS, JSON.stringify(Object.fromEntries(this.tallies), null, 1));
  }

  table(): string {
    const line = (name: string, invariants: string, { histories, violations, seconds }: Tally) =>
      `| ${name} | ${invariants} | ${histories} | ${violations} | ${Math.round(seconds)} |`;
    const lines = this.properties.map(({ name, invariants }) => line(name, invariants, this.of(name)));
    const head = ['| property | holds | histories | violations | s |', '|---|---|---|---|---|'];
    return [...head, ...lines, line('all', '', this.total())].join('\n');
  }
}

const added = (a: Tally, b: Tally): Tally => ({
  histories: a.histories + b.histories,
  violations: a.violations + b.violations,
  seconds: a.seconds + b.seconds,
  seeds: [...a.seeds, ...b.seeds],
});

/** Runs what is missing and answers the table and how many histories were violated. */
export async function soakHistories(wanted: SoakOptions): Promise<{ table: string; failed: number }> {
  const soak = new Soak(wanted);
  await soak.run();
  return { table: soak.table(), failed: soak.total().violations };
}
