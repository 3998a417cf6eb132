import { expect } from 'vitest';
import { MailOutbox, type StoredMail } from '@cairn/supabase-local/mail/mail-outbox.ts';
import type { TestServer } from '../../server-for-tests.ts';

export type ReceivedMail = StoredMail & { code: string; link: string; tokenHash: string };

/** Letters that came to an address; the newest first. */
export async function emailsTo(server: TestServer, to: string): Promise<ReceivedMail[]> {
  const emails = (await new MailOutbox(server.data).list()).filter(email => email.to === to);
  return emails.map(email => {
    const text = email.text ?? '';
    const link = /https?:\S+/.exec(text)?.[0] ?? '';
    const tokenHash = URL.canParse(link) ? (new URL(link).searchParams.get('token') ?? '') : '';
    return { ...email, code: /\b\d{6}\b(?!\S)/.exec(text)?.[0] ?? '', link, tokenHash };
  });
}

/** The next letter to an address that has `before` of them, waited for. */
export async function nextEmail(server: TestServer, to: string, before = 0): Promise<ReceivedMail> {
  await expect.poll(async () => (await emailsTo(server, to)).length).toBe(before + 1);
  const [email] = await emailsTo(server, to);
  if (!email) throw new Error(`no letter to ${to}`);
  return email;
}

/** Where a link of a letter leads: its address, and what it hands over in query and fragment. */
export async function followed(link: string) {
  const answer = await fetch(link, { redirect: 'manual' });
  const location = answer.headers.get('Location') ?? '';
  const url = URL.canParse(location) ? new URL(location) : null;
  const fragment = new URLSearchParams(url?.hash.slice(1));
  return { status: answer.status, location, url, query: url?.searchParams ?? new URLSearchParams(), fragment };
}
