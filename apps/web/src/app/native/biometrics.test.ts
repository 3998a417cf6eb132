// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BiometricAuth, BiometryType } from '@aparajita/capacitor-biometric-auth';
import type { NativeAbilities, SecureStore } from '@cairn/base/native-abilities.ts';
import { capacitorBiometrics, nativeAbilities } from './native-abilities.ts';
import lock from '../../shared/i18n/en/lock.json';
import {
  hasBiometrics,
  setUpBiometrics,
  turnOffBiometrics,
  unlockWithBiometrics,
} from '../../features/lock/biometric-unlock.ts';
import { LOCK_TOASTS, type LockToast } from '../../features/lock/lock-toasts.ts';

/** The plugin brings its own simulation of a device: what kind there is, who is enrolled, and a question to answer. */
async function device({ type = BiometryType.faceId, enrolled = true } = {}): Promise<NativeAbilities> {
  await BiometricAuth.setBiometryType(type);
  await BiometricAuth.setBiometryIsEnrolled(enrolled);
  await BiometricAuth.setDeviceIsSecure(true);
  return { biometrics: await capacitorBiometrics(), secureStore: store() };
}

function store(): SecureStore {
  const kept = new Map<string, string>();
  return {
    get: async key => kept.get(key) ?? null,
    set: async (key, value) => void kept.set(key, value),
    remove: async key => void kept.delete(key),
  };
}

/** What a person reads, in English. */
function textsOf(toast: LockToast): [title: string, text: string] {
  const [title, text] = LOCK_TOASTS[toast];
  const words = (key: string | null) => (key ? lock.toast[key.replace('toast.', '') as keyof typeof lock.toast] : '');
  return [words(title), words(text)];
}

const openKey = async () => new Uint8Array(32);
const unlocking = (native: NativeAbilities | null, hasSession = true) =>
  unlockWithBiometrics({ native, owner: 'sam', hasSession, reason: 'Unlock Cairn' });
const settingUp = (native: NativeAbilities | null) => setUpBiometrics({ native, owner: 'sam', openKey });

let answers: boolean;
beforeEach(() => {
  answers = true;
  vi.stubGlobal('confirm', () => answers);
});

describe('unlock', () => {
  test('R4.05 lets somebody in by face with a stored session and a key, and nobody without', async () => {
    const native = await device();
    expect(await settingUp(native)).toBeNull();
    expect(await unlocking(native)).toBeNull();
    expect(await unlocking(native, false)).toBe('noSession');
  });

  test('R8.37 no stored session: it says so', async () => {
    expect(await unlocking(await device())).toBe('noSession');
    expect(textsOf('noSession')[0]).toBe('No stored session found');
  });

  test('R4.06 a browser has no native abilities, and so no unlock', async () => {
    expect(await nativeAbilities({ platform: 'web', isNative: false })).toBeNull();
    expect(await unlocking(null)).toBe('unavailable');
  });

  test('R8.33 no biometrics on the device', async () => {
    expect(await unlocking(await device({ type: BiometryType.none }))).toBe('unavailable');
    expect(textsOf('unavailable')[0]).toBe('Biometrics Unavailable');
  });

  test('R8.34 the person cancels', async () => {
    const native = await device();
    await settingUp(native);
    answers = false;
    expect(await unlocking(native)).toBe('canceled');
    expect(textsOf('canceled')).toEqual(['Authentication Failed', 'Authentication was canceled']);
  });

  test('R8.35 nobody is enrolled', async () => {
    expect(await unlocking(await device({ enrolled: false }))).toBe('not_enrolled');
    const sentence = 'No biometric credentials are enrolled on this device';
    expect(textsOf('not_enrolled')).toEqual(['Authentication Failed', sentence]);
  });

  test('R8.36 whatever else the device refuses with', async () => {
    const ready = await (await device()).biometrics.check();
    const native = await device({ type: BiometryType.none });
    const biometrics = { ...native.biometrics, check: async () => ready };
    expect(await unlocking({ ...native, biometrics })).toBe('failed');
    expect(textsOf('failed')).toEqual(['Authentication Failed', 'Biometric authentication failed']);
  });
});

describe('set-up', () => {
  test('R5.06 only on a native device', async () => {
    expect(await settingUp(null)).toBe('setUpUnavailable');
  });

  test('R8.38 R5.07 without biometrics it is refused', async () => {
    const native = await device({ type: BiometryType.none });
    expect(await settingUp(native)).toBe('setUpUnavailable');
    expect(textsOf('setUpUnavailable')[0]).toBe('Biometrics Not Available');
    expect(await hasBiometrics(native, 'sam')).toBe(false);
  });

  test('R8.39 R5.07 weak biometrics are refused', async () => {
    const native = await device({ type: BiometryType.irisAuthentication });
    expect(await settingUp(native)).toBe('strongRequired');
    expect(textsOf('strongRequired')[0]).toBe('Strong Biometrics Required');
  });

  test('R8.40 a store that fails, or another password, sets nothing up', async () => {
    const native = await device();
    const failing = { ...native, secureStore: { ...native.secureStore, set: () => Promise.reject(new Error('full')) } };
    expect(await settingUp(failing)).toBe('setUpFailed');
    const refused = () => Promise.reject(new Error('another password'));
    expect(await setUpBiometrics({ native, owner: 'sam', openKey: refused })).toBe('setUpFailed');
    expect(textsOf('setUpFailed')[0]).toBe('Setup Failed');
    expect(await hasBiometrics(native, 'sam')).toBe(false);
  });

  test('can be turned off again', async () => {
    const native = await device();
    await settingUp(native);
    await turnOffBiometrics(native, 'sam');
    expect(await hasBiometrics(native, 'sam')).toBe(false);
  });
});
