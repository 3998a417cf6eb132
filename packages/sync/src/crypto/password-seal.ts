/** How a password closes a secret, as the specification has it. Bits, rounds and bytes. */
export const PASSWORD_SEAL = {
  algorithm: 'AES-GCM',
  keyBits: 256,
  derivation: 'PBKDF2',
  hash: 'SHA-256',
  iterations: 100_000,
  saltBytes: 16,
  vectorBytes: 12,
} as const;

const SENTENCES = {
  encrypt: 'Failed to encrypt data',
  decrypt: 'Failed to decrypt data - incorrect password or corrupted data',
  store: 'Failed to securely store data',
} as const;

/** A secret that could not be closed, opened or stored; the message is the specification's and holds no content. */
export class SealFailure extends Error {
  override name = 'SealFailure';
  readonly code: keyof typeof SENTENCES;

  constructor(code: keyof typeof SENTENCES, options?: ErrorOptions) {
    super(SENTENCES[code], options);
    this.code = code;
  }
}

/** What a password has closed: everything but the password that opening takes. */
export type PasswordEnvelope = {
  salt: Uint8Array<ArrayBuffer>;
  iv: Uint8Array<ArrayBuffer>;
  body: Uint8Array<ArrayBuffer>;
};

/** The key a password stands for, with this salt. It cannot be read out. */
export async function keyFromPassword(password: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const { algorithm, keyBits, derivation, hash, iterations } = PASSWORD_SEAL;
  const base = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), derivation, false, [
    'deriveKey',
  ]);
  const parameters = { name: derivation, hash, iterations, salt };
  return crypto.subtle.deriveKey(parameters, base, { name: algorithm, length: keyBits }, false, ['encrypt', 'decrypt']);
}

/**
 * Closes bytes with a password; salt and vector are new each time.
 * @throws {SealFailure} `encrypt`
 */
export async function closeWithPassword(clear: Uint8Array<ArrayBuffer>, password: string): Promise<PasswordEnvelope> {
  try {
    const salt = crypto.getRandomValues(new Uint8Array(PASSWORD_SEAL.saltBytes));
    const iv = crypto.getRandomValues(new Uint8Array(PASSWORD_SEAL.vectorBytes));
    const key = await keyFromPassword(password, salt);
    const body = new Uint8Array(await crypto.subtle.encrypt({ name: PASSWORD_SEAL.algorithm, iv }, key, clear));
    return { salt, iv, body };
  } catch (cause) {
    throw new SealFailure('encrypt', { cause });
  }
}

/**
 * Opens what `closeWithPassword` closed.
 * @throws {SealFailure} `decrypt` with another password, or when a bit has changed
 */
export async function openWithPassword(sealed: PasswordEnvelope, password: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const key = await keyFromPassword(password, sealed.salt);
    const clear = await crypto.subtle.decrypt({ name: PASSWORD_SEAL.algorithm, iv: sealed.iv }, key, sealed.body);
    return new Uint8Array(clear);
  } catch (cause) {
    throw new SealFailure('decrypt', { cause });
  }
}
