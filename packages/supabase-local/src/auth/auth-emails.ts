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
    opening: 'Someone has invited you to Cairn.',
    link: 'Accept invitation',
    code: 'Or enter this code in the app:',
  },
  magiclink: {
    subject: 'Your sign-in link',
    opening: 'Use this link to sign in to Cairn. It works once.',
    link: 'Sign in',
    code: 'Or enter this code in the app:',
  },
  recovery: {
    subject: 'Reset your password',
    opening: 'Choose a new password for your Cairn account.',
    link: 'Choose new password',
    code: 'Or enter this code in the app:',
  },
  email_change: {
    subject: 'Confirm your new email address',
    opening:
      'Please confirm the new email address of your Cairn account. You need to confirm it from both the old and the new address.',
    link: 'Confirm change',
    code: 'Or enter this code in the app:',
  },
  reauthentication: {
    subject: 'Your confirmation code',
    opening: 'Someone signed in to your account wants to make an important change in Cairn.',
    link: '',
    code: 'If this is you, enter this code in the app:',
  },
  ending: 'The link and the code are valid for one hour. If you did not ask for this, you can ignore this email.',
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
    opening: 'Mit diesem Link meldest du dich bei Cairn an. Er gilt einmal.',
    link: 'Anmelden',
    code: 'Oder gib diesen Code in der App ein:',
  },
  recovery: {
    subject: 'Setze dein Passwort zurück',
    opening: 'Wähle ein neues Passwort für dein Cairn-Konto.',
    link: 'Neues Passwort wählen',
    code: 'Oder gib diesen Code in der App ein:',
  },
  email_change: {
    subject: 'Bestätige deine neue E-Mail-Adresse',
    opening:
      'Bitte bestätige die neue E-Mail-Adresse deines Cairn-Kontos. Bestätigt werden muss sie von der alten und der neuen Adresse aus.',
    link: 'Änderung bestätigen',
    code: 'Oder gib diesen Code in der App ein:',
  },
  reauthentication: {
    subject: 'Dein Bestätigungscode',
    opening: 'Jemand, der in deinem Konto angemeldet ist, möchte in Cairn etwas Wichtiges ändern.',
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
    subject: 'Someone tried to use your email address',
    text: 'Someone tried to use this address for another Cairn account. It still belongs to your account, so you do not need to do anything.',
  },
  de: {
    subject: 'Jemand wollte deine E-Mail-Adresse verwenden',
    text: 'Jemand wollte diese Adresse für ein anderes Cairn-Konto verwenden. Sie gehört weiter zu deinem Konto. Du musst nichts tun.',
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
