import { expect } from '@playwright/test';
import type { ServerProcess } from '../rig/server-process.ts';

type Mail = { to: string; subject: string; text: string };

async function newest(server: ServerProcess, to: string, subject: RegExp, words: RegExp): Promise<Mail | null> {
  const answer = await fetch(`${server.url}/dev/mail.json`);
  const mails = (await answer.json()) as Mail[];
  return mails.find(mail => mail.to === to && subject.test(mail.subject) && words.test(mail.text)) ?? null;
}

/** The newest letter to an address, or text message to a number, about something and with these words, once it is there. */
export async function emailTo(
  server: ServerProcess,
  to: string,
  subject: RegExp,
  words = /(?:)/,
): Promise<{ code: string; link: string }> {
  const held: { mail: Mail | null } = { mail: null };
  await expect
    .poll(async () => {
      held.mail = await newest(server, to, subject, words);
      return held.mail !== null;
    })
    .toBe(true);
  const text = held.mail?.text ?? '';
  return { code: /\b\d{6}\b/.exec(text)?.[0] ?? '', link: /http\S+/.exec(text)?.[0] ?? '' };
}
