import postgres from 'postgres';

const PATIENCE_MS = 2_000;

/** Asks the database whether it is there, on one connection that nothing else uses; many who ask at once share one question. */
export function createDbHealth(databaseUrl: string) {
  const sql = postgres(databaseUrl, { max: 1, connect_timeout: 10, onnotice: () => {} });
  let asking: Promise<boolean> | null = null;

  const ask = (): Promise<boolean> =>
    sql`select 1`
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        asking = null;
      });

  return {
    answers(): Promise<boolean> {
      asking ??= ask();
      const late = new Promise<false>(resolve => setTimeout(() => resolve(false), PATIENCE_MS).unref());
      return Promise.race([asking, late]);
    },
    end: () => sql.end({ timeout: 1 }),
  };
}
