// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { PersonProfile } from '@cairn/core/profile/person-profile.ts';
import { myProfile } from '@cairn/core/profile/queries.ts';
import type { Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { failingWrite } from '@cairn/testing/failing-write.ts';
import { indexedStore } from '@cairn/testing/indexed-store.ts';
import type { MemoryRows } from '@cairn/testing/memory-store.ts';
import failure from '../../shared/i18n/en/failure.json';
import texts from '../../shared/i18n/en/profile.json';
import shell from '../../shared/i18n/en/shell.json';
import { heardToasts, id, inEnglish, inGerman, ME, ORG, showSignedIn } from '../../shared/signed-in-for-tests.tsx';
import { PersonProfileScreen } from './person-profile-screen.tsx';
import { ProfileScreen } from './profile-screen.tsx';

const MARA = id(2);
const heard = heardToasts();

beforeAll(() => inEnglish('profile', 'shell', 'failure'));
afterEach(cleanup);

const me = (more: Partial<Row<'profiles'>> = {}) => ({
  id: ME,
  email: 'sam@cairn.test',
  full_name: 'Sam Reed',
  display_name: 'Sam',
  ...more,
});

async function show(rows: MemoryRows, place: { verified?: boolean } = {}) {
  const store = await indexedStore(rows);
  const engine = { file: () => Promise.reject(new Failure('not_found', 'not here')) };
  showSignedIn(
    <ProfileScreen
      settingsLink={<a href="/settings">Settings</a>}
      signOut={<button>Sign out</button>}
      removeSample={null}
    />,
    { store, engine, ...place },
  );
  return store;
}
const kept = async (store: Store) => (await store.read(myProfile(ME))).profile;
const field = (name: keyof typeof texts.field) => screen.findByLabelText<HTMLInputElement>(texts.field[name]);

async function person(answer: () => unknown, rows: MemoryRows = {}) {
  const store = await indexedStore(rows);
  return showSignedIn(
    <PersonProfileScreen
      personId={MARA}
      backLink={<a href="/people">Back</a>}
      membershipLink={<a href="/membership">{texts.person.membership}</a>}
    />,
    { store, answer },
  );
}
const shared = (more: Partial<PersonProfile> = {}): PersonProfile => ({
  id: MARA,
  name: 'Mara Moor',
  is_shared: true,
  job_title: null,
  bio: null,
  seen_at: null,
  ...more,
});
const COLLEAGUE: MemoryRows = {
  people: [{ id: MARA, display_name: 'Mara' }],
  organization_members: [
    { id: id(40), organization_id: ORG, user_id: MARA, role: 'manager', joined_at: '2026-01-01T00:00:00Z' },
  ],
};

test('a profile that has not arrived says so, and nothing of it can be written', async () => {
  await show({});
  await screen.findByText(texts.arriving);
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeTruthy();
});

test('whoever only this device vouches for is told; with a word of the server it goes', async () => {
  await show({ profiles: [me()] }, { verified: false });
  await screen.findByText(texts.unverified);
  cleanup();
  await show({ profiles: [me()] });
  await field('full_name');
  expect(screen.queryByText(texts.unverified)).toBeNull();
});

test('a field is saved when it is left, without the spaces around it, and the toast brings back what stood there', async () => {
  const store = await show({ profiles: [me()] });
  await userEvent.clear(await field('display_name'));
  await userEvent.type(await field('display_name'), '  Sammy ');
  expect((await kept(store))?.display_name).toBe('Sam');
  await userEvent.tab();
  await waitFor(async () => expect((await kept(store))?.display_name).toBe('Sammy'));
  await waitFor(async () => expect((await field('display_name')).value).toBe('Sammy'));
  expect(heard.map(({ title }) => title)).toEqual([texts.saved]);
  heard[0]?.action?.onPress();
  await waitFor(async () => expect((await field('display_name')).value).toBe('Sam'));
});

test('a field that was emptied is no text at all, and its undo brings the text back', async () => {
  const store = await show({ profiles: [me({ job_title: 'Fitter' })] });
  await userEvent.clear(await field('job_title'));
  await userEvent.tab();
  await waitFor(async () => expect((await kept(store))?.job_title).toBeNull());
  await waitFor(() => expect(heard).toHaveLength(1));
  heard[0]?.action?.onPress();
  await waitFor(async () => expect((await kept(store))?.job_title).toBe('Fitter'));
});

test('what was only looked at, or has no more than spaces around it, is not saved', async () => {
  const store = await show({ profiles: [me()] });
  await userEvent.click(await field('full_name'));
  await userEvent.tab();
  await userEvent.type(await field('full_name'), '  ');
  await userEvent.tab();
  await waitFor(async () => expect((await field('full_name')).value).toBe('Sam Reed'));
  expect(heard).toEqual([]);
  expect((await kept(store))?.full_name).toBe('Sam Reed');
});

test('what is too long says by how much, letters of two units count as one, and it is kept once it fits', async () => {
  const store = await show({ profiles: [me()] });
  const phone = (await screen.findAllByLabelText<HTMLInputElement>(texts.field.phone))[0];
  if (!phone) throw new Error('no phone');
  await userEvent.click(phone);
  await userEvent.paste('🙂'.repeat(61));
  expect(screen.getByText('This is 1 character too long.')).toBeTruthy();
  await userEvent.tab();
  expect(phone.value).toBe('🙂'.repeat(61));
  expect((await kept(store))?.phone).toBeNull();
  await userEvent.clear(phone);
  await userEvent.paste('🙂'.repeat(60));
  expect(screen.queryByText(/too long/)).toBeNull();
  await userEvent.tab();
  await waitFor(async () => expect((await kept(store))?.phone).toBe('🙂'.repeat(60)));
});

test('a save that the device refuses stands at its field and keeps what was typed', async () => {
  const store = failingWrite(await indexedStore({ profiles: [me()] }), 'storage_full');
  showSignedIn(<ProfileScreen settingsLink={null} signOut={null} removeSample={null} />, { store });
  await userEvent.type(await field('bio'), 'I mend things');
  await userEvent.tab();
  await screen.findByText(failure.storage_full);
  expect((await field('bio')).value).toBe('I mend things');
});

test('where one belongs stands with since when: companies by their title, the private space without one, roles beyond a member', async () => {
  const member = (n: number, organization_id: string, role: 'admin' | 'member', joined_at: string) => ({
    id: id(n),
    organization_id,
    user_id: ME,
    role,
    joined_at,
  });
  await show({
    profiles: [me()],
    organizations: [
      { id: ORG, name: 'Northfield', slug: 'n' },
      { id: id(8), name: 'Sam', slug: 's', kind: 'private' },
    ],
    organization_members: [
      member(40, ORG, 'admin', '2026-02-01T12:00:00Z'),
      member(41, id(8), 'admin', '2026-01-01T12:00:00Z'),
    ],
    user_roles: [
      { id: id(42), user_id: ME, role: 'user' },
      { id: id(43), user_id: ME, role: 'moderator' },
    ],
  });
  const list = await screen.findByRole('list', { name: texts.memberships });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(row => row.textContent),
  ).toEqual([`${texts.private}since 01/01/2026`, `Northfieldsince 02/01/2026${shell.titles.organization_admin}`]);
  expect(
    within(screen.getByRole('region', { name: texts.system })).getAllByText(/./, { selector: '.pill' }),
  ).toHaveLength(1);
  expect(screen.getByText(texts.systemRoles.moderator)).toBeTruthy();
});

test('a file that is no picture is refused in words, and another can be chosen', async () => {
  Object.assign(globalThis, { createImageBitmap: () => Promise.reject(new Error('no picture')) });
  try {
    await show({ profiles: [me()] });
    const input = (await screen.findAllByLabelText<HTMLInputElement>(texts.picture.choose)).find(
      ({ type }) => type === 'file',
    );
    if (!input) throw new Error('no way to choose');
    await userEvent.upload(input, new File(['text'], 'a.png', { type: 'image/png' }));
    expect((await screen.findByRole('alert')).textContent).toBe(texts.picture.bad);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(input.value).toBe('');
  } finally {
    Reflect.deleteProperty(globalThis, 'createImageBitmap');
  }
});

test('a picture that is removed comes back at a press of undo', async () => {
  const preferences = { id: ME, user_id: ME, custom_avatar_url: `media:${id(50)}` };
  await show({ profiles: [me()], user_preferences: [preferences] });
  await userEvent.click(await screen.findByRole('button', { name: texts.picture.remove }));
  await waitFor(() => expect(screen.queryByRole('button', { name: texts.picture.remove })).toBeNull());
  await waitFor(() => expect(heard).toHaveLength(1));
  heard[0]?.action?.onPress();
  await screen.findByRole('button', { name: texts.picture.remove });
});

test('a colleague is shown as the server says they want to be seen, and their words to no one they do not share them with', async () => {
  await person(() => shared({ job_title: 'Foreman', bio: 'Ask me', seen_at: new Date().toISOString() }), COLLEAGUE);
  await screen.findByText('Foreman');
  expect(screen.getByRole('heading', { level: 1, name: 'Mara Moor' })).toBeTruthy();
  expect(screen.getByText('Ask me')).toBeTruthy();
  expect(screen.getAllByText(texts.person.here).length).toBeGreaterThan(0);
  await screen.findByRole('link', { name: texts.person.membership });
  cleanup();
  await person(() => shared({ is_shared: false }), COLLEAGUE);
  await screen.findByText(texts.person.notShared);
  cleanup();
  await person(() => shared(), COLLEAGUE);
  await screen.findByText(texts.person.nothing);
});

test('somebody nobody knows is said to be so; one of this device whom the server no longer shows keeps their name', async () => {
  await person(() => null);
  await screen.findByText(texts.person.unknown);
  expect(screen.getByRole('link', { name: 'Back' })).toBeTruthy();
  cleanup();
  await person(() => null, COLLEAGUE);
  await screen.findByRole('heading', { level: 1, name: 'Mara' });
  expect(screen.getByText(texts.person.notShared)).toBeTruthy();
});

test('without an answer the name stands, what failed is said, and it is asked for again at a press; in German too', async () => {
  let fails = true;
  const answer = () => {
    if (fails) throw new Failure('offline', 'no network');
    return shared({ job_title: 'Foreman' });
  };
  await person(answer, COLLEAGUE);
  await screen.findByText(texts.person.failed);
  await screen.findByRole('heading', { level: 1, name: 'Mara' });
  await screen.findByText(shell.roles.manager);
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: texts.person.again }));
  await screen.findByText('Foreman');
  cleanup();
  await inGerman(async () => {
    await person(() => shared({ is_shared: false }), COLLEAGUE);
    await screen.findByText('Diese Person zeigt nur ihren Namen.');
    cleanup();
  });
});
