import type { LockedOutbox } from './locked-outbox.ts';
import type { LocalDatabase } from '../store/database.ts';
import { NUDGE, type Changes } from '../store/changes.ts';
import type { Rescue, openRescueOf } from './rescue.ts';
import { metaOf } from '../store/session.ts';
import { SEALED_OUTBOX } from '../store/stored.ts';

/** The rescue file, whose code arrives when somebody asks for it. */
export function lazyRescue(place: Parameters<typeof openRescueOf>[0]): Rescue {
  const rescue = async () => (await import('./rescue.ts')).openRescueOf(place);
  return {
    pack: async (passphrase, given) => (await rescue()).pack(passphrase, given),
    unlock: async (file, passphrase) => (await rescue()).unlock(file, passphrase),
    take: async snapshot => (await rescue()).take(snapshot),
    submitOnBehalf: async (snapshot, organizationId) => (await rescue()).submitOnBehalf(snapshot, organizationId),
  };
}

type RescueScope = { db: LocalDatabase; owner: string; device: string; now: () => number };

/** The rescue file of somebody who has no engine here any more. */
export const rescueOf = ({ db, owner, device, now }: RescueScope): Pick<Rescue, 'pack' | 'unlock'> => ({
  async pack(passphrase, { email, withPrivate }) {
    const { sealSnapshot } = await import('./sealed-snapshot.ts');
    return sealSnapshot(db, { owner: { id: owner, email }, device, now: now(), withPrivate }, passphrase);
  },
  unlock: async (file, passphrase) => (await import('./sealed-snapshot.ts')).unsealSnapshot(file, passphrase),
});

/** Whether work of an earlier sign-out lies closed on this device. */
export async function hasSealedOutbox(db: LocalDatabase, owner: string): Promise<boolean> {
  const kept = await metaOf(await db.transaction(['meta'], 'readonly'), owner, SEALED_OUTBOX);
  return kept !== undefined;
}

type DeviceScope = { db: LocalDatabase; owner: string; changes: Changes };

/** What a sign-in could not open by itself. */
export const lockedOutboxOf = ({ db, owner, changes }: DeviceScope): LockedOutbox => ({
  isThere: () => hasSealedOutbox(db, owner),
  async unlock(password) {
    const { unlockSealedOutbox } = await import('./sealed-outbox.ts');
    const taken = await unlockSealedOutbox({ db, owner, emit: names => changes.emit(names) }, password);
    changes.emit([NUDGE]);
    return taken;
  },
});
