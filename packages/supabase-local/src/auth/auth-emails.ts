import { html } from 'hono/html';
import type { AuthRequest, Email } from './auth-context.ts';

export type EmailKind = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change' | 'reauthentication';

type EmailTexts = { subject: string; opening: string; link: string; code: string };

type Texts = Record<EmailKind, EmailTexts> & { ending: string };

const ENGLISH: Texts = {
  signup: {
    subject: 'Confirm your email address',
    opening: 'Welcome to Cairn. Please confirm that this address is yours.',
    link: 'Confirm address',
    code: 'Or enter this code in the app:',
  },
  invite: {
    subject: 'You are invited to Cairn',
    opening: 'Somebody has invited you to Cairn.',
    link: 'Accept the invitation',
    code: 'Or enter this code in the app:',
  },
  magiclink: {
    subject: 'Your sign-in link',
    opening: 'You can sign in to Cairn with this link, once.',
    link: 'Sign in',
    code: 'Or enter this code in the app:',
  },
  recovery: {
    subject: 'Reset your password',
    opening: 'You can choose a new password for Cairn.',
    link: 'Choose a new password',
    code: 'Or enter this code in the app:',
  },
  email_change: {
    subject: 'Confirm your new email address',
    opening: 'Please confirm that your address for Cairn shall change. Both the old and the new address must confirm.',
    link: 'Confirm the change',
    code: 'Or enter this code in the app:',
  },
  reauthentication: {
    subject: 'Your confirmation code',
    opening: 'Somebody who is signed in as you wants to change something important in Cairn.',
    link: '',
    code: 'If it is you, enter this code in the app:',
  },
  ending: 'The link and the code work for one hour. If you did not ask for this, you can ignore this email.',
};

const GERMAN: Texts = {
  signup: {
    subject: 'Bestätige deine E-Mail-Adresse',
    opening: 'Willkommen bei Cairn. Bitte bestätige, dass diese Adresse dir gehört.',
    link: 'Adresse bestätigen',
    code: 'Oder gib diesen Code in der App ein:',
  },
  invite: {
    subject: 'Du bist zu Cairn eingeladen',
    opening: 'Jemand hat dich zu Cairn eingeladen.',
    link: 'Einladung annehmen',
    code: 'Oder gib diesen Code in der App ein:',
  },
  magiclink: {
    subject: 'Dein Anmelde-Link',
    opening: 'Mit diesem Link kannst du dich einmal bei Cairn anmelden.',
    link: 'Anmelden',
    code: 'Oder gib diesen Code in der App ein:',
  },
  recovery: {
    subject: 'Setze dein Passwort zurück',
    opening: 'Du kannst ein neues Passwort für Cairn wählen.',
    link: 'Neues Passwort wählen',
    code: 'Oder gib diesen Code in der App ein:',
  },
  email_change: {
    subject: 'Bestätige deine neue E-Mail-Adresse',
    opening: 'Bitte bestätige, dass sich deine Adresse für Cairn ändern soll. Alte und neue Adresse müssen zustimmen.',
    link: 'Änderung bestätigen',
    code: 'Oder gib diesen Code in der App ein:',
  },
  reauthentication: {
    subject: 'Dein Bestätigungscode',
    opening: 'Jemand, der als du angemeldet ist, möchte in Cairn etwas Wichtiges ändern.',
    link: '',
    code: 'Wenn du das bist, gib diesen Code in der App ein:',
  },
  ending: 'Link und Code gelten eine Stunde. Wenn du das nicht wolltest, musst du nichts tun.',
};

/** The person's own choice if they have made one, else what their browser asks for. */
export function isGerman(metadata: Record<string, unknown>, c: AuthRequest): boolean {
  const chosen = metadata['locale'] ?? metadata['language'];
  const language = typeof chosen === 'string' ? chosen : (c.req.header('Accept-Language') ?? '');
  return language.trim().toLowerCase().startsWith('de');
}

/** @param link null where only the code may be used */
export async function writeEmail(
  kind: EmailKind,
  german: boolean,
  to: string,
  { code, link }: { code: string; link: string | null },
): Promise<Email> {
  const texts = german ? GERMAN : ENGLISH;
  const { subject, opening, link: linkText, code: codeText } = texts[kind];
  const parts = [opening, ...(link === null ? [] : [`${linkText}: ${link}`]), `${codeText} ${code}`, texts.ending];
  const button = link === null ? '' : html`<p><a href="${link}">${linkText}</a></p>`;
  const page = html`<!doctype html>
    <html lang="${german ? 'de' : 'en'}">
      <body style="font-family: sans-serif; line-height: 1.5">
        <p>${opening}</p>
        ${button}
        <p>${codeText} <strong style="font-size: 1.5em; letter-spacing: 0.1em">${code}</strong></p>
        <p>${texts.ending}</p>
      </body>
    </html>`;
  return { to, subject, text: parts.join('\n\n'), html: String(await page) };
}

const TAKEN = {
  en: {
    subject: 'Your address was named for another account',
    text: 'Somebody wants to use this address for another account of Cairn. It belongs to yours and stays there: you need not do anything.',
  },
  de: {
    subject: 'Deine Adresse wurde für ein anderes Konto genannt',
    text: 'Jemand möchte diese Adresse für ein anderes Cairn-Konto nutzen. Sie gehört zu deinem und bleibt dort: Du musst nichts tun.',
  },
};

/** For the address of an account that somebody else wanted to move to: nothing in it leads anywhere. */
export async function writeTakenEmail(german: boolean, to: string): Promise<Email> {
  const { subject, text } = TAKEN[german ? 'de' : 'en'];
  const page = html`<!doctype html>
    <html lang="${german ? 'de' : 'en'}">
      <body style="font-family: sans-serif; line-height: 1.5">
        <p>${text}</p>
      </body>
    </html>`;
  return { to, subject, text, html: String(await page) };
}
