/** What the machine says of its biometrics. */
export type BiometryFacts = {
  isAvailable: boolean;
  /** False where the machine could, and nobody has shown it a finger or face yet. */
  isEnrolled: boolean;
  /** Class 3 on Android, Face ID and Touch ID: good enough to stand for a password. */
  isStrong: boolean;
};

/** Why somebody was not let in by their finger or face. */
export type BiometricRefusal = 'canceled' | 'not_enrolled' | 'failed';

/** Finger or face in place of a password. */
export interface Biometrics {
  check(): Promise<BiometryFacts>;
  /** @param reason what the system shows: why it asks @returns null when it is the device's owner */
  ask(reason: string): Promise<BiometricRefusal | null>;
}

/** Small secrets in the machine's own key store; only inside a native wrapper. */
export interface SecureStore {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  remove(key: string): Promise<void>;
}

/** What only a native wrapper can do. */
export type NativeAbilities = { biometrics: Biometrics; secureStore: SecureStore };
