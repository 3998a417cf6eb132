import { loadavg } from 'node:os';
import { writeChapter } from './benchmarks-file.ts';
import { machine } from './report.ts';

type Finding = { what: string; value: string; limit: string; met: boolean };
type Chapter = { title: Parameters<typeof writeChapter>[0]; notes: string; verb: string; write: boolean };

/** What one bench found in a browser, each figure beside its limit: told as it comes, as a table at the end. */
export class Findings {
  private readonly lines: Finding[] = [];
  private readonly before = loadavg()[0]?.toFixed(2);

  note(what: string, value: string, limit: string, met: boolean): void {
    this.lines.push({ what, value, limit, met });
    console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${value} (${limit}), load ${loadavg()[0]?.toFixed(1)}`);
  }

  /** Prints the table, writes its chapter where wanted, and fails the process where a limit was missed. */
  end({ title, notes, verb, write }: Chapter): void {
    const table = [
      '| | measured | target | |',
      '|---|---|---|---|',
      ...this.lines.map(
        ({ what, value, limit, met }) => `| ${what} | ${value} | ${limit} | ${met ? 'met' : 'MISSED'} |`,
      ),
    ].join('\n');
    const where = `${machine()}; Chromium, headless; load average before ${this.before}, after ${loadavg()[0]?.toFixed(2)}`;
    console.log(`\n${where}\n\n${table}`);
    if (write) {
      const command = [`npm run ${verb} --`, ...process.argv.slice(2)].join(' ');
      const day = new Date().toISOString().slice(0, 10);
      writeChapter(title, `Written by \`${command}\` on ${day}. Machine: ${where}.\n\n${table}\n${notes}`);
    }
    process.exitCode = this.lines.some(({ met }) => !met) ? 1 : 0;
  }
}
