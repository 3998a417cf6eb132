import type { CurrentUser, DeviceSettings } from '@cairn/sync/device.ts';

/** Somebody the server let in. They are signed in on this device once the session controller adopts them. */
export type AuthResult = {
  user: CurrentUser;
  session: DeviceSettings['auth_session'];
  /** A second step (a code of their app, or a recovery code) is owed first. */
  secondStep: boolean;
};

/** What a link brought behind `#`. */
export type LinkTokens = { accessToken: string; refreshToken: string };

/** Whose link this is. Nothing of this device has changed yet. */
export type LinkGuest = {
  user: CurrentUser;
  /** This browser asked for the link, within the last hour. */
  isAskedFor: boolean;
  /** A new password is to be chosen. */
  recovery: boolean;
  /** Makes the link's session the one of this device. */
  enter(): Promise<AuthResult>;
};

/** Why the server, or the network, refused; a screen has a sentence for each. */
export type AuthRefusal =
  | {
      kind:
        | 'missing'
        | 'exists'
        | 'wrong_code'
        | 'no_code'
        | 'too_many'
        | 'network'
        | 'signed_out'
        | 'reauthenticate'
        | 'same_password'
        | 'second_step'
        | 'other_browser'
        | 'bad_email'
        | 'bad_phone'
        | 'no_phone'
        | 'link_unusable'
        | 'other_account'
        | 'unconfirmed'
        | 'membership_ended'
        | 'sole_identity';
    }
  /** `reasons` as the server names them: `length`, `characters`, `pwned`. */
  | { kind: 'weak'; reasons: readonly string[] }
  | { kind: 'other'; name: string; status: number | null; code: string | null; message: string };

/** An expected refusal of a step of signing in or of an account's security. */
export class AuthRefused extends Error {
  override name = 'AuthRefused';
  readonly refusal: AuthRefusal;

  constructor(refusal: AuthRefusal, options?: ErrorOptions) {
    super(`auth: ${refusal.kind}`, options);
    this.refusal = refusal;
  }
}

/** `email`: an address, or a phone number with its country code. */
export type SignUp = { fullName: string; email: string; password: string; language: string; returnTo: string };

/** What a letter's code is for; `email` is the code of a sign-up and of a sign-in alike. */
export type CodeKind = 'email' | 'recovery' | 'email_change';

/** A second step somebody has set up. */
export type Factor = { id: string; kind: 'totp' | 'recovery_code' | 'other'; name: string; createdAt: string };

/** What an authenticator app is shown: a picture (data URL) and the same as letters. */
export type NewFactor = { id: string; picture: string; secret: string };

/** A device somebody is signed in on; instants in ISO 8601. */
export type OwnSession = {
  id: string;
  createdAt: string;
  seenAt: string;
  userAgent: string;
  address: string;
  hasSecondStep: boolean;
  isCurrent: boolean;
};

export type Identity = { id: string; provider: string; email: string };

export type JoinKind = 'invitation' | 'partner';

/** What a link joins somebody to, before they agree. */
export type JoinPreview = {
  organization: string;
  program: string | null;
  programText: string | null;
  roleName: string;
  may: readonly string[];
  sites: readonly string[];
  invitedBy: string | null;
  validUntil: string | null;
  expiresAt: string;
  emailHint: string | null;
  /** False: the invitation is for another address than the signed-in person's. */
  isForMe: boolean;
  alreadyMember: boolean;
};

export type JoinResult = {
  organizationId: string;
  organization: string;
  /** In the organisation; null where the link says nothing of it. */
  role: string | null;
  alreadyMember: boolean;
};

/**
 * Everything of the authentication service beyond e-mail and password, through the official client. Where a call before the sign-in takes
 * an `email`, a phone number with its country code (`+49…`) is taken as well, and a text message stands for a letter.
 * Every call throws {AuthRefused} for what can be expected; anything else is a bug.
 */
export interface AuthFlows {
  /** @returns null when the address has to be confirmed first: a letter is on its way */
  signUp(given: SignUp): Promise<AuthResult | null>;
  /** Sends the letter of a sign-up, or of a change of address, once more. */
  resend(kind: 'signup' | 'email_change', email: string, returnTo: string): Promise<void>;
  /** Sends a code to sign in with. Says nothing about whether the address has an account. */
  sendCode(email: string, returnTo: string): Promise<void>;
  /** Sends a letter that lets its reader choose a new password. */
  recover(email: string, returnTo: string): Promise<void>;
  /** @returns null where the other address of a change has to agree as well */
  checkCode(kind: CodeKind, email: string, code: string): Promise<AuthResult | null>;
  /** Whose session a link brought along behind `#`. */
  lookAtTokens(tokens: LinkTokens): Promise<LinkGuest>;
  /** Trades the code of a link or of a sign-in service; works only in the browser that asked. */
  lookAtCode(code: string): Promise<LinkGuest>;
  /** Whoever gave their password in this browser and owes the second step; null for nobody. */
  pending(): Promise<AuthResult | null>;
  /** Second steps that work, of whoever is signed in or owes one. */
  factors(): Promise<Factor[]>;
  answerCode(factorId: string, code: string): Promise<AuthResult>;
  answerRecoveryCode(code: string): Promise<AuthResult>;
  enrol(name: string): Promise<NewFactor>;
  removeFactor(id: string): Promise<void>;
  /** How many recovery codes are left; null without any set. */
  recoveryCodesLeft(): Promise<number | null>;
  /** New recovery codes; the ones before stop working. They are answered this once. */
  newRecoveryCodes(): Promise<string[]>;
  /** @param nonce the code `reauthenticate` sent, where the session is old */
  setPassword(password: string, nonce?: string): Promise<void>;
  /** Sends a code that shows again who is here. */
  reauthenticate(): Promise<void>;
  /** Sends a letter to the old and to the new address; both agree. */
  changeEmail(email: string, returnTo: string): Promise<void>;
  /** The account's confirmed number, `+49…`; null for none. */
  ownPhone(): Promise<string | null>;
  /** Sends a text message whose code makes the number the account's. */
  changePhone(phone: string): Promise<void>;
  confirmPhone(phone: string, code: string): Promise<void>;
  /** Whether the server sends notifications as text messages. */
  sendsTexts(): Promise<boolean>;
  sessions(): Promise<OwnSession[]>;
  endSession(id: string): Promise<void>;
  /** Ends every other session, or all. A session that is gone already is no refusal. */
  endSessions(scope: 'others' | 'global'): Promise<void>;
  /** Sign-in services the server has been told of, `phone` among them where text messages lead in; none when it cannot be asked. */
  providers(): Promise<string[]>;
  /** Leads the browser to the service. */
  signInWith(provider: string, returnTo: string): Promise<void>;
  identities(): Promise<Identity[]>;
  linkIdentity(provider: string, returnTo: string): Promise<void>;
  unlinkIdentity(id: string): Promise<void>;
  previewJoin(kind: JoinKind, token: string): Promise<JoinPreview>;
  join(kind: JoinKind, token: string): Promise<JoinResult>;
}

/** Loads what speaks to the authentication service. Throws {AuthRefused} `network` when it cannot be had. */
export type ReachAuth = () => Promise<AuthFlows>;
