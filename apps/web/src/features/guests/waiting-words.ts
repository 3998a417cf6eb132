import type { GuestTask, GuestWordBody } from '@cairn/core/guests/guest-word.ts';
import type { NewFile } from '@cairn/core/media/keep-file.ts';
import { keptStore } from '../../shared/server/kept-store.ts';

export type WaitingPhoto = {
  bytes: ArrayBuffer;
  mime: string;
  /** `refused`: the server said that it is no picture it takes. */
  state: 'waiting' | 'sent' | 'refused';
};

/** A guest's word on this phone, from the moment it is said until it has arrived. */
export type WaitingWord = {
  /** The key of the word. */
  key: string;
  token: string;
  body: GuestWordBody;
  photos: WaitingPhoto[];
  /** Phone's time, ISO 8601. */
  madeAt: string;
  /** `closed`: the link took nothing when it was sent; `refused`: the server did not understand it; `sent`: photos are left. */
  state: 'waiting' | 'sent' | 'closed' | 'refused';
};

/** What is typed behind a link and not yet said; its key is the link's token. */
export type Draft = { key: string; madeAt: string; text: string; reason: string; photos: readonly NewFile[] };

/** The action item as it was last seen, for a place without signal; its key is the link's token. */
export type CachedTask = { key: string; madeAt: string; task: GuestTask };

export const waitingWords = keptStore<WaitingWord>('cairn.guest.words', 'words');
export const drafts = keptStore<Draft>('cairn.guest.drafts', 'drafts');
export const seenTasks = keptStore<CachedTask>('cairn.guest.seen', 'tasks');
