import type { NativeAbilities } from '@cairn/base/native-abilities.ts';
import type { LockToast } from './lock-toasts.ts';

/** Where a person's data key lies in the machine's own store, once they have set biometrics up. */
const placeOf = (owner: string): string => `cairn.dataKey.${owner}`;

const toText = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

type UnlockRequest = {
  /** Null in a browser: biometrics are for native devices only. */
  native: NativeAbilities | null;
  owner: string;
  /** Whether a stored session and a stored person are there. */
  hasSession: boolean;
  /** What the system shows. */
  reason: string;
};

/** Lets the person in by finger or face. @returns null when they are in, else what to say */
export async function unlockWithBiometrics({
  native,
  owner,
  hasSession,
  reason,
}: UnlockRequest): Promise<LockToast | null> {
  if (!native) return 'unavailable';
  if (!hasSession) return 'noSession';
  const { isAvailable, isEnrolled } = await native.biometrics.check();
  if (!isEnrolled) return 'not_enrolled';
  if (!isAvailable) return 'unavailable';
  const refusal = await native.biometrics.ask(reason);
  if (refusal) return refusal;
  return (await native.secureStore.get(placeOf(owner))) === null ? 'noSession' : null;
}

type SetUpRequest = {
  native: NativeAbilities | null;
  owner: string;
  /** Opens the data key with the password that was entered; rejects when it is another one. */
  openKey: () => Promise<Uint8Array>;
};

/**
 * Puts the data key behind the machine's biometrics; they must be strong, because they stand for the password.
 * @returns null when it is set up, else what to say; nothing has changed then
 */
export async function setUpBiometrics({ native, owner, openKey }: SetUpRequest): Promise<LockToast | null> {
  if (!native) return 'setUpUnavailable';
  try {
    const { isAvailable, isStrong } = await native.biometrics.check();
    if (!isAvailable) return 'setUpUnavailable';
    if (!isStrong) return 'strongRequired';
    await native.secureStore.set(placeOf(owner), toText(await openKey()));
    return null;
  } catch {
    // The machine's store failed, or this is not the password: either way it is not set up, and the toast says that.
    return 'setUpFailed';
  }
}

/** Whether this person has biometric unlock on this device. */
export const hasBiometrics = async (native: NativeAbilities, owner: string): Promise<boolean> =>
  (await native.secureStore.get(placeOf(owner))) !== null;

export const turnOffBiometrics = (native: NativeAbilities, owner: string): Promise<void> =>
  native.secureStore.remove(placeOf(owner));
