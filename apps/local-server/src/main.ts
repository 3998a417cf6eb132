import { StartFailure } from '@cairn/database/start-failure.ts';
import { DEMO_PASSWORD, demoPeople } from './start/demo-people.ts';
import { startServer, type RunningServer } from './server.ts';
import { readSettings } from './start/settings.ts';

const STOP_WITHIN_MS = 4_500;

const SEEDING_MESSAGES: Partial<Record<RunningServer['seeding'], string>> = {
  refused: 'No demo data was added: HOST is not a loopback address, and the demo passwords are public.',
  exposed: 'Warning: this database has demo accounts with a public password, and HOST lets other machines reach it.',
};

function fail(error: unknown): never {
  const isExpected = error instanceof StartFailure;
  console.error(isExpected ? error.message : `Cairn stopped because of an unexpected error: ${String(error)}`);
  process.exit(1);
}

function greet({ url, seeding, mailAt }: RunningServer): void {
  console.log(`Cairn is running at ${url}`);
  if (seeding === 'first' || seeding === 'earlier') {
    console.log(`Demo accounts (password ${DEMO_PASSWORD}): ${demoPeople.map(person => person.email).join(', ')}`);
  }
  if (mailAt) console.log(`No mail server is set (SMTP_URL). Read emails at ${mailAt}`);
  const words = SEEDING_MESSAGES[seeding];
  if (words) console.error(words);
}

/** A signal that comes while the server is still starting ends the start at its next step: no Postgres is left behind. */
function stopOnSignals(starting: Promise<RunningServer>, ending: AbortController): void {
  const stop = () => {
    if (ending.signal.aborted) return;
    ending.abort(new Error('a signal ended the start'));
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    const stopped = starting.then(
      server => server.stop(),
      (error: unknown) => (error === ending.signal.reason ? undefined : fail(error)),
    );
    stopped.then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function main(): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  // The next turn: by then a signal finds somebody who listens.
  const starting = Promise.resolve().then(() => startServer({ ...readSettings(process.env), signal }));
  stopOnSignals(starting, ending);
  const server = await starting.catch((error: unknown) => (signal.aborted ? null : fail(error)));
  // Whoever heard the signal ends the process.
  if (!server) return;
  if (!signal.aborted) greet(server);
  await server.databaseEnded;
  if (signal.aborted) return;
  console.error('The database stopped unexpectedly, so the server is stopping too. Start it again to continue.');
  await server.stop();
  process.exit(1);
}

main().catch(fail);
