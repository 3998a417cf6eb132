import { startServerOn } from '@cairn/local-server/server-for-tests.ts';
import { freshDatabase } from '@cairn/testing/database.ts';
import { expect, test } from 'vitest';

const PASSWORD = 'a long word';

/** The whole way: what the app is set to, in a browser that asks for another language. */
test('emails of sign-in and of invitations speak the language the app is set to', async () => {
  const db = await freshDatabase();
  const server = await startServerOn(db.url);
  const client = server.visitor();
  const { data } = await client.auth.signUp({ email: 'ann@a.test', password: PASSWORD });
  const ann = data.user?.id ?? '';
  await client.auth.signInWithPassword({ email: 'ann@a.test', password: PASSWORD });
  await db.asAdmin(`insert into user_preferences (user_id, language) values ($1, 'de')`, [ann]);
  const [made] = await db.asAdmin(`insert into organizations (name, slug) values ('Works', 'works') returning id`);
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
    made?.['id'],
    ann,
  ]);
  const body = { organization_id: made?.['id'], email: 'bob@a.test' };
  const invited = await client.functions.invoke('people/invite', { body, headers: { 'Accept-Language': 'en-GB' } });
  expect(invited.data).toMatchObject({ mailed: true });
  await server.visitor().auth.resetPasswordForEmail('ann@a.test');
  const subjects = async (to: string) => {
    const mails = (await (await fetch(`${server.url}/dev/mail.json`)).json()) as { to: string; subject: string }[];
    return mails.filter(mail => mail.to === to).map(mail => mail.subject);
  };
  await expect.poll(() => subjects('ann@a.test')).toEqual(['Setze dein Passwort zurück']);
  expect((await subjects('bob@a.test'))[0]).toMatch(/Works.*eingeladen|Einladung/);
  await server.stop();
  await db.drop();
});
