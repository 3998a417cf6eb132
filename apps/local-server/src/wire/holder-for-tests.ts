import postgres from 'postgres';

/** Holds things in the database of a test server, and looks at who waits for them. */
export function openHolder(databaseUrl: string) {
  const [holder, watcher] = [1, 2].map(() => postgres(databaseUrl, { max: 1, onnotice: () => {} })) as [
    postgres.Sql,
    postgres.Sql,
  ];
  return {
    /** How many statements wait for a lock. */
    waiting: async () =>
      Number((await watcher`select count(*) as n from pg_stat_activity where wait_event_type = 'Lock'`)[0]?.['n']),
    /** As long as `work` takes, what `statement` locks is held. */
    async whileHeld<T>(statement: string, work: () => Promise<T>): Promise<T> {
      const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = holder.begin(async tx => {
        await tx.unsafe(statement);
        held.resolve();
        await over.promise;
      });
      await Promise.race([held.promise, holding]);
      try {
        return await work();
      } finally {
        over.resolve();
        await holding;
      }
    },
    end: async () => void (await Promise.all([holder.end(), watcher.end()])),
  };
}

export type Holder = ReturnType<typeof openHolder>;
