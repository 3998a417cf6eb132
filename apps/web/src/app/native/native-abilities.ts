import type { BiometricRefusal, Biometrics, NativeAbilities, SecureStore } from '@cairn/base/native-abilities.ts';
import type { PlatformBridge } from '@cairn/base/platform-bridge.ts';

const REFUSALS: Readonly<Record<string, BiometricRefusal>> = {
  userCancel: 'canceled',
  appCancel: 'canceled',
  systemCancel: 'canceled',
  biometryNotEnrolled: 'not_enrolled',
};

const refusalOf = (error: unknown): BiometricRefusal => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return REFUSALS[code] ?? 'failed';
};

/** Biometrics over the Capacitor plugin; it has a simulation of its own outside a wrapper. */
export async function capacitorBiometrics(): Promise<Biometrics> {
  const { AndroidBiometryStrength, BiometricAuth, BiometryErrorType } =
    await import('@aparajita/capacitor-biometric-auth');
  return {
    async check() {
      const { isAvailable, strongBiometryIsAvailable, code } = await BiometricAuth.checkBiometry();
      const isEnrolled = code !== BiometryErrorType.biometryNotEnrolled;
      return { isAvailable, isEnrolled, isStrong: strongBiometryIsAvailable };
    },
    ask: reason =>
      BiometricAuth.authenticate({ reason, androidBiometryStrength: AndroidBiometryStrength.strong }).then(
        () => null,
        refusalOf,
      ),
  };
}

async function capacitorSecureStore(): Promise<SecureStore> {
  const { SecureStorage } = await import('@aparajita/capacitor-secure-storage');
  return {
    get: key => SecureStorage.getItem(key),
    set: (key, value) => SecureStorage.setItem(key, value),
    remove: key => SecureStorage.removeItem(key),
  };
}

/**
 * The native abilities of the wrapper; null in a browser, which loads nothing of it.
 * @throws {Error} when the wrapper lacks a plugin
 */
export async function nativeAbilities({ isNative }: PlatformBridge): Promise<NativeAbilities | null> {
  if (!isNative) return null;
  const [biometrics, secureStore] = await Promise.all([capacitorBiometrics(), capacitorSecureStore()]);
  return { biometrics, secureStore };
}
