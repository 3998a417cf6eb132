import type { DocumentProblem } from '@cairn/core/media/document-kind.ts';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';

/** Why bytes are no document of this type; null where they are one. The bytes are given away. */
export type DocumentCheck = (bytes: Uint8Array<ArrayBuffer>, mime: string) => Promise<DocumentProblem | null>;

/** Runs work that looks at a document of an organisation when its turn comes; `busy` where too many wait already. */
export type DocumentSlots = <T>(
  organization: string,
  signal: AbortSignal,
  work: (check: DocumentCheck) => Promise<T>,
) => Promise<T | 'busy'>;

/** Runs the making of a feed when its turn comes; `busy` where too many wait already. */
export type FeedSlots = <T>(feed: string, signal: AbortSignal, make: () => Promise<T>) => Promise<T | 'busy'>;

/** What a handler needs to speak to the backend it runs beside; the same on our server and on an edge function. */
export type BackendAccess = {
  url: string;
  publishableKey: string;
  secretKey: string;
  /**
   * Looks at documents beside the thread that answers. Left out where there is no such thread: an edge function runs in an isolate of its
   * own, whose time (2 s of processor) and memory (256 MB) the platform bounds.
   */
  documents?: DocumentSlots;
  /** Has few feeds made at once, of those whose text is not there. Left out where each request has a process of its own. */
  feeds?: FeedSlots;
  /** In-process on our server; the network elsewhere. */
  fetch?: typeof fetch;
  /** Public VAPID key, where this backend sends web push. */
  pushKey?: string;
  /** Whether notifications go out as text messages; left out: they do not. */
  sendsTexts?: boolean;
  /** Where people open the app, without a slash at its end; `url` where it is left out. */
  site?: () => string;
  /** Where calendars read feeds, without a slash at its end; below the functions where it is left out. */
  calendarAddress?: () => string;
  /** Hands a mail to the mail server; rejects when it was not taken. Left out where this backend sends none. */
  sendMail?: (email: { to: string; subject: string; text: string }) => Promise<void>;
};

function client({ url, fetch }: BackendAccess, key: string, headers: Record<string, string>): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: fetch ? { headers, fetch } : { headers },
  });
}

/** Sees and does what the caller may: row-level security decides. */
export const asCaller = (access: BackendAccess, authorization: string): SupabaseClient =>
  client(access, access.publishableKey, { Authorization: authorization });

/** Bypasses row-level security; only for steps that follow a check made as the caller. */
export const asServer = (access: BackendAccess): SupabaseClient => client(access, access.secretKey, {});

/** Somebody who is not signed in: to try a password. */
export const asVisitor = (access: BackendAccess): SupabaseClient => client(access, access.publishableKey, {});
