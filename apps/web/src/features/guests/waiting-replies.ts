import type { GuestTask, GuestReplyBody } from '@cairn/core/guests/guest-reply.ts';
import type { NewFile } from '@cairn/core/media/keep-file.ts';
import type { WaitingPhoto } from '../../shared/server/send-stored.ts';
import { visitorStore } from '../../shared/server/visitor-store.ts';

/** A guest's word on this phone, from the moment it is said until it has arrived. */
export type WaitingReply = {
  /** The key of the word. */
  key: string;
  token: string;
  body: GuestReplyBody;
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

export const waitingReplies = visitorStore<WaitingReply>('cairn.guest.words', 'words');
export const drafts = visitorStore<Draft>('cairn.guest.drafts', 'drafts');
export const seenTasks = visitorStore<CachedTask>('cairn.guest.seen', 'tasks');
