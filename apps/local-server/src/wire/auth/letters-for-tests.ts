import { expect } from 'vitest';
import { MailOutbox, type KeptMail } from '@cairn/supabase-local/mail/mail-outbox.ts';
import type { TestServer } from '../../server-for-tests.ts';

export type ReceivedMail = KeptMail & { code: string; link: string; tokenHash: string };

/** Letters that came to an address; the newest first. */
export async function lettersTo(server: TestServer, to: string): Promise<ReceivedMail[]> {
  const letters = (await new MailOutbox(server.data).list()).filter(letter => letter.to === to);
  return letters.map(letter => {
    const text = letter.text ?? '';
    const link = /https?:\S+/.exec(text)?.[0] ?? '';
    const tokenHash = URL.canParse(link) ? (new URL(link).searchParams.get('token') ?? '') : '';
    return { ...letter, code: /\b\d{6}\b(?!\S)/.exec(text)?.[0] ?? '', link, tokenHash };
  });
}

/** The next letter to an address that has `before` of them, waited for. */
export async function nextLetter(server: TestServer, to: string, before = 0): Promise<ReceivedMail> {
  await expect.poll(async () => (await lettersTo(server, to)).length).toBe(before + 1);
  const [letter] = await lettersTo(server, to);
  if (!letter) throw new Error(`no letter to ${to}`);
  return letter;
}

/** Where a link of a letter leads: its address, and what it hands over in query and fragment. */
export async function followed(link: string) {
  const answer = await fetch(link, { redirect: 'manual' });
  const location = answer.headers.get('Location') ?? '';
  const url = URL.canParse(location) ? new URL(location) : null;
  const fragment = new URLSearchParams(url?.hash.slice(1));
  return { status: answer.status, location, url, query: url?.searchParams ?? new URLSearchParams(), fragment };
}
