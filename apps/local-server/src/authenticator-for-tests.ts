import { TOTP } from 'otpauth';

/** The six digits an authenticator app shows now for this secret (base32). */
export const codeOfApp = (secret: string): string => new TOTP({ secret }).generate();
