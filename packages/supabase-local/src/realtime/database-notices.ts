import postgres from 'postgres';
import type { Log } from '../log/log.ts';

type Options = { url: string; log: Log; /** By channel. */ hear: Record<string, (text: string) => void> };

const RETRY_MS = 250;

/**
 * Hears notifications on a connection of its own, and goes on doing so when the database went away and came
 * back: the driver's own `listen` tries once and then stays deaf. What is sent meanwhile is lost, as a nudge may be.
 *
 * @returns once it listens for the first time: what ends it
 */
export async function listenForNotices({ url, log, hear }: Options): Promise<() => Promise<void>> {
  let isOver = false;
  let retry: NodeJS.Timeout | undefined;
  const options = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    onnotice: () => {},
    // Known to the driver, left out of its types.
    onnotify: (channel: string, text: string) => hear[channel]?.(text),
    onclose: () => again(),
  };
  const sql = postgres(url, options);
  const listen = () =>
    sql.unsafe(
      Object.keys(hear)
        .map(channel => `listen ${channel};`)
        .join(' '),
    );

  function again(): void {
    clearTimeout(retry);
    if (isOver) return;
    retry = setTimeout(() => {
      listen().catch((error: unknown) => {
        log.info({ err: error }, 'not listening yet');
        again();
      });
    }, RETRY_MS);
  }

  await listen();
  return async () => {
    isOver = true;
    clearTimeout(retry);
    await sql.end({ timeout: 1 });
  };
}
