// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { localDay } from '@cairn/base/local-day.ts';
import { moveRelationship } from '@cairn/core/support-circle/grants.ts';
import { circlePage } from '@cairn/core/support-circle/queries.ts';
import { questionnaires } from '@cairn/core/wellness/questionnaires.ts';
import { allCheckIns } from '@cairn/core/wellness/queries.ts';
import { wellnessSettings } from '@cairn/core/wellness/wellness-settings.ts';
import { openDevice, type Device } from '@cairn/sync/device.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Store } from '@cairn/sync/store.ts';
import { StoreContext } from '@cairn/sync/store-context.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import coach from '../../shared/i18n/en/coach.json';
import wellness from '../../shared/i18n/en/wellness.json';
import { addTexts, startI18n } from '../../shared/i18n/start-i18n.ts';
import { SignedInContext } from '../../shared/session/session.ts';
import { CheckInCard } from './check-in-card.tsx';
import { LongerLookCard } from './longer-look-card.tsx';
import { MoodCard } from './mood-card.tsx';
import { NoteCopy } from './note-copy.tsx';
import { QuietOffer } from './quiet-offer.tsx';
import { useCheckIn } from './use-check-in.ts';
import { usePrivateNotes, type NotePorts } from './use-private-notes.ts';

const SAM = '00000000-0000-4000-8000-000000000003';
const PASSWORD = 'a long password';
const NOTE = 'Worried about Tuesday';

let store: Store;
let device: Device;

beforeAll(async () => {
  await startI18n();
  addTexts('wellness', wellness);
  addTexts('coach', coach);
});
beforeEach(async () => {
  store = memoryStore({}, SAM);
  device = await openDevice({ name: newId(), platform: virtualPlatform() });
  await device.dataKeys.keep(SAM, PASSWORD);
});
afterEach(async () => {
  cleanup();
  await device.close();
});

const portsOf = (of: Device): NotePorts => ({
  owner: SAM,
  notes: () => of.privateNotes(SAM),
  knowsPassword: () => of.dataKeys.has(SAM),
  checkPassword: password => of.dataKeys.open(SAM, password),
});

const signedIn = { user: { id: SAM, email: 'sam@a.test', fullName: null }, engine: {} as SyncEngine, verified: true };
const show = (child: React.ReactNode) =>
  render(
    <SignedInContext.Provider value={signedIn}>
      <StoreContext.Provider value={store}>{child}</StoreContext.Provider>
    </SignedInContext.Provider>,
  );

function CheckIn({ ports }: { ports: NotePorts }) {
  return <CheckInCard work={useCheckIn()} notes={usePrivateNotes(ports)} />;
}

const kept = () => store.read(allCheckIns);
const mood = (name: string) => screen.getByRole('radio', { name });

test('on the dashboard one tap keeps the mood, the second one the energy, and no third is asked for', async () => {
  show(<MoodCard renderLink={(_goesOn, text) => <span>{text}</span>} />);
  await userEvent.click(mood('Good'));
  await waitFor(async () => expect(await kept()).toMatchObject([{ mood: 4, energy: null, skipped: null }]));
  await userEvent.click(screen.getByRole('radio', { name: 'Steady' }));
  await waitFor(async () => expect(await kept()).toMatchObject([{ mood: 4, energy: 4 }]));
  expect(await screen.findByText(/^Saved on this device/)).toBeDefined();
});

test('the chosen coach asks, and answers a low and a good mood in their own tone', async () => {
  store = memoryStore({ user_preferences: [{ id: SAM, user_id: SAM, wellness_coach_avatar: 'straight-talker' }] }, SAM);
  show(<CheckIn ports={portsOf(device)} />);
  expect(await screen.findByText(coach.says['straight-talker'].ask)).toBeDefined();
  await userEvent.click(mood('Low'));
  expect(await screen.findByText(coach.says['straight-talker'].low)).toBeDefined();
  await userEvent.click(mood('Great'));
  expect(await screen.findByText(coach.says['straight-talker'].high)).toBeDefined();
  expect(screen.queryByText(coach.says['friendly-professional'].high)).toBeNull();
});

test('every item may be left out, and a level that was tapped again is taken back', async () => {
  show(<CheckIn ports={portsOf(device)} />);
  await userEvent.click(mood('Low'));
  await userEvent.click(await screen.findByRole('radio', { name: 'Very high' }));
  await waitFor(async () => expect((await kept())[0]?.stress).toBe(5));
  await userEvent.click(screen.getByRole('radio', { name: 'Very high' }));
  await waitFor(async () => expect((await kept())[0]?.stress).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Outdoors' }));
  await waitFor(async () => expect((await kept())[0]?.tags).toEqual(['outdoors']));
  expect(await kept()).toHaveLength(1);
});

test('a note is locked before it is kept, goes to the check-in it was written in, and opens on another device by the password', async () => {
  const { unmount } = show(<CheckIn ports={portsOf(device)} />);
  await userEvent.click(mood('Okay'));
  await userEvent.click(await screen.findByRole('button', { name: wellness.note.add }));
  await userEvent.type(await screen.findByLabelText('Your password'), PASSWORD);
  await userEvent.click(screen.getByLabelText(wellness.key.kept));
  await userEvent.click(screen.getByRole('button', { name: wellness.key.make }));
  await userEvent.type(await screen.findByLabelText(wellness.note.label), NOTE);
  // At once: what was typed is still being locked while the next check-in begins.
  await userEvent.click(screen.getByRole('button', { name: wellness.checkIn.done }));
  await userEvent.click(mood('Great'));
  await waitFor(async () => expect((await kept()).filter(row => row.note !== null)).toHaveLength(1));
  const rows = await kept();
  expect(rows.find(row => row.note !== null)?.mood).toBe(3);
  expect(JSON.stringify(rows)).not.toContain(NOTE);
  unmount();

  const other = await openDevice({ name: newId(), platform: virtualPlatform() });
  const noted = rows.find(row => row.note !== null);
  const ports = portsOf(other);
  const Edit = () => {
    const work = useCheckIn();
    return (
      <>
        <button type="button" onClick={() => noted && work.edit(noted)}>
          edit
        </button>
        <CheckInCard work={work} notes={usePrivateNotes(ports)} />
      </>
    );
  };
  show(<Edit />);
  await userEvent.click(screen.getByRole('button', { name: 'edit' }));
  await userEvent.click(await screen.findByRole('button', { name: wellness.note.closedHere }));
  await userEvent.type(await screen.findByLabelText('Your password'), PASSWORD);
  await userEvent.click(screen.getByRole('button', { name: wellness.unlock.open }));
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(wellness.note.label).value).toBe(NOTE));
  await other.close();
});

test('a note reaches somebody else as a copy alone, which its writer looks over and sends', async () => {
  const PAIR = newId();
  store = memoryStore(
    {
      circle_relationships: [
        { id: PAIR, subject_id: SAM, helper_id: newId(), role: 'mentor_coach', helper_name: 'Mara', state: 'active' },
      ],
    },
    SAM,
  );
  const long = `${NOTE}${'.'.repeat(500)}`;
  show(<NoteCopy text={long} />);
  await userEvent.click(await screen.findByRole('button', { name: wellness.copy.open }));
  const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send to Mara' });
  expect(send().disabled).toBe(true);
  const words = screen.getByLabelText(wellness.copy.words);
  await userEvent.clear(words);
  await userEvent.type(words, 'Tuesday worries me');
  expect((await store.read(circlePage(PAIR)))?.messages).toEqual([]);
  await userEvent.click(send());
  await waitFor(async () =>
    expect((await store.read(circlePage(PAIR)))?.messages).toMatchObject([
      { from_id: SAM, body: 'Tuesday worries me' },
    ]),
  );
  await store.write('pause', tx => moveRelationship(tx, { id: PAIR, state: 'paused', by: SAM }));
  await waitFor(() => expect(screen.queryByRole('button', { name: wellness.copy.open })).toBeNull());
});

test('a longer questionnaire is brought in and begun where it belongs: in one’s own space', async () => {
  const privateSpace = { id: newId(), name: 'Home', slug: 'home', kind: 'private' as const, created_by: SAM };
  store = memoryStore({ organizations: [privateSpace] }, SAM);
  const begun: string[] = [];
  show(<LongerLookCard today={localDay(new Date())} onBegun={id => begun.push(id)} />);
  await userEvent.click(await screen.findByRole('button', { name: wellness.look.bring }));
  await screen.findByRole('heading', { name: 'The last two weeks' });
  await userEvent.click(screen.getByRole('button', { name: wellness.look.begin }));
  await screen.findByRole('button', { name: wellness.look.goOn });
  const [look] = (await store.read(questionnaires(SAM))).asked;
  expect(begun).toEqual([look?.open]);
  await userEvent.click(screen.getByRole('button', { name: wellness.look.leave }));
  await screen.findByLabelText(wellness.look.other);
  expect(screen.queryByRole('heading', { name: 'The last two weeks' })).toBeNull();
});

test('after a hard day’s check-in reminders may wait for a day, and the waiting is ended by one tap', async () => {
  const today = localDay(new Date());
  const settings = () => store.read(wellnessSettings(SAM));
  const row = { id: newId(), user_id: SAM, day: today, at: new Date().toISOString(), mood: 1 };
  await store.write('say', tx => tx.put('wellness_check_ins', row));
  show(<QuietOffer rows={await kept()} today={today} />);
  await userEvent.click(await screen.findByRole('button', { name: wellness.reminders.quiet }));
  await userEvent.click(await screen.findByRole('button', { name: wellness.reminders.loud }));
  await waitFor(async () => expect((await settings()).quiet_until).toBeNull());
  expect(screen.queryByRole('button', { name: wellness.reminders.quiet })).not.toBeNull();
});

test('the dashboard offers quiet after a low mood, and none after a good one', async () => {
  show(<MoodCard renderLink={(_goesOn, text) => <span>{text}</span>} />);
  await userEvent.click(mood('Good'));
  await waitFor(async () => expect(await kept()).toHaveLength(1));
  expect(screen.queryByRole('button', { name: wellness.reminders.quiet })).toBeNull();
  await userEvent.click(mood(wellness.mood['1']));
  await userEvent.click(await screen.findByRole('button', { name: wellness.reminders.quiet }));
  await screen.findByRole('button', { name: wellness.reminders.loud });
  expect((await store.read(wellnessSettings(SAM))).quiet_until).not.toBeNull();
});
