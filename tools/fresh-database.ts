import postgres from 'postgres';

/** Gives `use` a connection to a database with all migrations applied. */
export async function withFreshDatabase<A>(use: (sql: postgres.Sql) => Promise<A>): Promise<A> {
  const url = process.env['GEN_DATABASE_URL'];
  if (!url) throw new Error('GEN_DATABASE_URL is not set');
  const sql = postgres(url, { max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}
