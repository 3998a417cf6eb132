import type { CurrentUser, Device, DeviceSettings, EndedPerson } from '@cairn/sync/device.ts';
import { sha256Hex } from '../../../shared/media/picture-facts.ts';
import { SESSION_PLACE } from '../auth/auth-gate.ts';
import type { RememberedSession } from '../device/remembered-session.ts';

/** Local storage, as far as forgetting somebody takes it. */
export type BrowserKeys = { names(): string[]; getItem(name: string): string | null; removeItem(name: string): void };

type AccountContext = { device: Device; remembered: RememberedSession; storage: BrowserKeys };

/** Choices of whoever was here last: they name an organisation, and no person. */
const CHOICES = ['cairn.currentOrganization', 'cairn.currentPlaybook', 'cairn.activeRoleContext'];

type EndedAccounts = Required<DeviceSettings['ended_accounts']>;

const noted = async ({ settings }: Device): Promise<EndedAccounts> => {
  const { people = [], forgotten = [] } = (await settings.get('ended_accounts')) ?? {};
  return { people, forgotten };
};

/** Whose account was deleted elsewhere, while something of theirs is on this device. */
export const endedPeople = async (device: Device): Promise<EndedPerson[]> => (await noted(device)).people;

async function note({ settings }: Device, { people, forgotten }: EndedAccounts): Promise<void> {
  if (people.length + forgotten.length > 0) await settings.set('ended_accounts', { people, forgotten });
  else await settings.remove('ended_accounts');
}

const hashOf = (id: string): Promise<string> => sha256Hex(new TextEncoder().encode(id));

/** Noted before anything is done about it, so that a phone that dies goes on from there. @param forget whether all of it is to go */
export const noteEnded = ({ device, remembered }: AccountContext, user: CurrentUser, forget: boolean): Promise<void> =>
  remembered.inTurn(async () => {
    const { people, forgotten } = await noted(device);
    const hasChosen = people.some(({ id, forget: chosen }) => id === user.id && chosen);
    const { id, email, fullName } = user;
    const person = { id, email, fullName, forget: forget || hasChosen };
    await note(device, { people: [...people.filter(each => each.id !== id), person], forgotten });
  });

/** Local storage: what is kept under their id, or names it, and what they had chosen. */
function forgetInBrowser(storage: BrowserKeys, id: string): void {
  for (const key of storage.names())
    if (key.includes(id) || storage.getItem(key)?.includes(id)) storage.removeItem(key);
  for (const key of CHOICES) storage.removeItem(key);
}

/** What may be an id in a key of local storage and its value. */
const wordsIn = (text: string): string[] => text.match(/[\w-]+/g) ?? [];

/** Browsers write local storage down within seconds, at most minutes; ms. */
const WRITTEN_DOWN_MS = 600_000;

/**
 * Browsers write local storage down late: a phone that dies brings back what was removed from it. Removes that again, and keeps the note
 * until nothing was seen for long enough. Known by a hash alone, so that the note tells of nobody.
 */
export async function sweepForgotten({ device, remembered, storage }: AccountContext): Promise<void> {
  const { forgotten } = await noted(device);
  if (forgotten.length === 0) return;
  const seen = await removeAgain(storage, new Set(forgotten.map(({ hash }) => hash)));
  const now = Date.now();
  await remembered.inTurn(async () => {
    const { people, forgotten: all } = await noted(device);
    const after = all.map(each => (seen.has(each.hash) ? { ...each, seenAt: now } : each));
    await note(device, { people, forgotten: after.filter(({ seenAt }) => now - seenAt < WRITTEN_DOWN_MS) });
  });
}

/** @returns of which of them something was there */
async function removeAgain(storage: BrowserKeys, hashes: ReadonlySet<string>): Promise<Set<string>> {
  const seen = new Set<string>();
  const words = new Set(storage.names().flatMap(name => wordsIn(`${name} ${storage.getItem(name) ?? ''}`)));
  for (const word of words) {
    const hash = await hashOf(word);
    if (!hashes.has(hash)) continue;
    forgetInBrowser(storage, word);
    seen.add(hash);
  }
  return seen;
}

/** The session as the library keeps it, where it is theirs: somebody else may have signed in since. */
async function forgetTokens(device: Device, id: string): Promise<void> {
  const sealed = device.sealedStorage(SESSION_PLACE.prefix);
  const kept = await sealed.getItem(SESSION_PLACE.key).catch(() => null);
  if (kept === null || kept.includes(id)) await sealed.removeItem(SESSION_PLACE.key);
}

/**
 * Removes everything of somebody whose account was deleted from this device: records, outbox and its copy, keys, session, choices. The
 * note of them goes last: whatever dies in between is gone on with at the next start. What stays is a hash, see `sweepForgotten`.
 */
export async function forgetEnded(place: AccountContext, user: CurrentUser): Promise<void> {
  const { device, remembered, storage } = place;
  await noteEnded(place, user, true);
  await device.forgetPerson(user.id);
  await remembered.inTurn(async () => {
    const isLast = (await device.settings.get('current_user'))?.id === user.id;
    if (isLast) await remembered.forget('auth_session', 'selected_organization', 'selected_playbook', 'current_user');
    if (isLast) await forgetTokens(device, user.id);
    forgetInBrowser(storage, user.id);
    const { people, forgotten } = await noted(device);
    const hash = await hashOf(user.id);
    await note(device, {
      people: people.filter(({ id }) => id !== user.id),
      forgotten: [...forgotten.filter(each => each.hash !== hash), { hash, seenAt: Date.now() }],
    });
  });
}
