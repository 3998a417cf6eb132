import type { CurrentUser, Device, EndedPerson } from '@cairn/sync/device.ts';
import { SESSION_PLACE } from './auth-gate.ts';
import type { RememberedSession } from './remembered-session.ts';

/** Local storage, as far as forgetting somebody takes it. */
export type BrowserKeys = { names(): string[]; getItem(name: string): string | null; removeItem(name: string): void };

type Place = { device: Device; remembered: RememberedSession; storage: BrowserKeys };

/** Choices of whoever was here last: they name an organisation, and no person. */
const CHOICES = ['cairn.currentOrganization', 'cairn.currentPlaybook', 'cairn.activeRoleContext'];

/** Whose account was deleted elsewhere, while something of theirs is on this device. */
export const endedPeople = async ({ settings }: Device): Promise<EndedPerson[]> =>
  (await settings.get('ended_accounts'))?.people ?? [];

async function keep(device: Device, people: EndedPerson[]): Promise<void> {
  if (people.length > 0) await device.settings.set('ended_accounts', { people });
  else await device.settings.remove('ended_accounts');
}

/** Noted before anything is done about it, so that a phone that dies goes on from there. @param forget whether all of it is to go */
export const noteEnded = ({ device, remembered }: Place, user: CurrentUser, forget: boolean): Promise<void> =>
  remembered.inTurn(async () => {
    const people = await endedPeople(device);
    const hasChosen = people.some(({ id, forget: chosen }) => id === user.id && chosen);
    const { id, email, fullName } = user;
    const noted = { id, email, fullName, forget: forget || hasChosen };
    await keep(device, [...people.filter(each => each.id !== id), noted]);
  });

/** Local storage: what is kept under their id, or names it, and what they had chosen. */
function forgetInBrowser(storage: BrowserKeys, id: string): void {
  for (const key of storage.names())
    if (key.includes(id) || storage.getItem(key)?.includes(id)) storage.removeItem(key);
  for (const key of CHOICES) storage.removeItem(key);
}

/** The session as the library keeps it, where it is theirs: somebody else may have signed in since. */
async function forgetTokens(device: Device, id: string): Promise<void> {
  const sealed = device.sealedStorage(SESSION_PLACE.prefix);
  const kept = await sealed.getItem(SESSION_PLACE.key).catch(() => null);
  if (kept === null || kept.includes(id)) await sealed.removeItem(SESSION_PLACE.key);
}

/**
 * Removes everything of somebody whose account was deleted from this device: records, outbox and its copy, keys, session, choices. The
 * note of them goes last: whatever dies in between is gone on with at the next start.
 */
export async function forgetEnded(place: Place, user: CurrentUser): Promise<void> {
  const { device, remembered, storage } = place;
  await noteEnded(place, user, true);
  await device.forgetPerson(user.id);
  await remembered.inTurn(async () => {
    const isLast = (await device.settings.get('current_user'))?.id === user.id;
    if (isLast) await remembered.forget('auth_session', 'selected_organization', 'selected_playbook', 'current_user');
    if (isLast) await forgetTokens(device, user.id);
    forgetInBrowser(storage, user.id);
    await keep(
      device,
      (await endedPeople(device)).filter(({ id }) => id !== user.id),
    );
  });
}
