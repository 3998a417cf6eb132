import { startServerOn } from '@cairn/local-server/server-for-tests.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import type { Person } from './rls-expectations.ts';
import { makeWorld, type World } from './world.ts';

type Server = Awaited<ReturnType<typeof startServerOn>>;
export type Client = ReturnType<Server['visitor']>;

export type ServedWorld = {
  db: TestDatabase;
  world: World;
  url: string;
  /** The official client of each person who is told apart. */
  clients: Record<Person, Client>;
  signIn(name: string): Promise<Client>;
  stop(): Promise<void>;
};

const PASSWORD = 'a long word';

async function signUp({ visitor }: Server, email: string): Promise<string> {
  const { data, error } = await visitor().auth.signUp({ email, password: PASSWORD });
  if (error || !data.user) throw new Error(`sign-up failed: ${error?.message ?? 'no person'}`);
  return data.user.id;
}

async function signIn({ visitor }: Server, email: string): Promise<Client> {
  const client = visitor();
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw new Error(`sign-in failed: ${error.message}`);
  return client;
}

/** Somebody who was signed in on this client, and is no more. */
async function signedOut(server: Server, email: string): Promise<Client> {
  const client = await signIn(server, email);
  const { error } = await client.auth.signOut({ scope: 'local' });
  if (error) throw new Error(`sign-out failed: ${error.message}`);
  return client;
}

/** The world of `makeWorld` behind a running server; its people signed up there, and sign in, through supabase-js. */
export async function serveWorld(): Promise<ServedWorld> {
  const db = await freshDatabase();
  const server = await startServerOn(db.url);
  const world = await makeWorld({ ...db, person: email => signUp(server, email) });
  const [owner, colleague, manager, other, visitor] = await Promise.all([
    signIn(server, 'worker@a.test'),
    signIn(server, 'colleague@a.test'),
    signIn(server, 'manager@a.test'),
    signIn(server, 'stranger@b.test'),
    signedOut(server, 'worker@a.test'),
  ]);
  return {
    db,
    world,
    url: server.url,
    clients: { owner, colleague, manager, other, visitor },
    signIn: name => signIn(server, `${name}@a.test`),
    async stop() {
      await server.stop();
      await db.drop();
    },
  };
}

/** What of the world, but for the stranger, an answer to the stranger names. */
export function namedIn(answer: unknown, world: World): string[] {
  const text = JSON.stringify(answer);
  // The stranger is who asks; the pack came with the installation and is offered to every organisation.
  const theirs = Object.entries(world).filter(([name]) => name !== 'stranger' && name !== 'pack');
  return theirs.flatMap(([name, id]) => (text.includes(id) ? [name] : []));
}
