import type { AnnouncedPhoto } from '../issue-reports/public-report.ts';

/** What a guest may send; `intake.parse_reply` holds the same in the database. Text in characters, photos in number. */
export const GUEST_LIMITS = { text: 4000, name: 100, photos: 5 } as const;

/** What a guest says of the one action item they were given. */
export type GuestAct = 'accept' | 'decline' | 'done';

/** Why a link shows nothing, in a word. */
export type LinkEndReason = 'revoked' | 'declined' | 'ended' | 'expired';

/** The action item behind a link, as whoever holds the link sees it. */
export type GuestTask = {
  status: 'open';
  /** What comes next. `checking`: a member looks at it; `again`: it was sent back. */
  step: 'asked' | 'accepted' | 'checking' | 'again';
  organization: string;
  /** Who asks; null when their account has ended. */
  by: string | null;
  /** The guest's name, as whoever gave the link wrote it. */
  name: string;
  title: string;
  description: string | null;
  /** ISO 8601. */
  due_at: string | null;
  site: string | null;
  /** Last day the link opens, YYYY-MM-DD. */
  until: string;
  /** Whether it is not done without a photo. */
  needs_photo: boolean;
  photos: { id: string; mime: string }[];
  /** What was sent by this link, oldest first; `at` is the phone's time, ISO 8601. */
  replies: { act: GuestAct; at: string; text: string | null }[];
};

/** What a link answers: null when it opens nothing. */
export type GuestAnswer = GuestTask | { status: LinkEndReason } | null;

/** What `submit_guest_reply` takes. */
export type GuestReplyBody = { act: GuestAct; text?: string; photos?: AnnouncedPhoto[]; replied_at: string };

export type GuestReply = {
  act: GuestAct;
  /** What was done, or why not; nothing of it is said with a yes. */
  text: string;
  photos: readonly AnnouncedPhoto[];
  /** The phone's time, ISO 8601. */
  at: string;
};

/** What stands in the way of saying it; null when nothing does. @param needsPhoto whether it is not done without a photo */
export function guestFault(
  { act, text, photos }: Omit<GuestReply, 'at'>,
  needsPhoto: boolean,
): 'text' | 'photo' | null {
  if (act !== 'accept' && text.trim() === '') return 'text';
  return act === 'done' && needsPhoto && photos.length === 0 ? 'photo' : null;
}

/** A guest's word as the server takes it. */
export function guestReplyBody({ act, text, photos, at }: GuestReply): GuestReplyBody {
  const replied_at = new Date(at).toISOString();
  if (act === 'accept') return { act, replied_at };
  const words = text.trim().slice(0, GUEST_LIMITS.text);
  if (act === 'decline') return { act, text: words, replied_at };
  return { act, text: words, photos: photos.map(({ bytes, sha256 }) => ({ bytes, sha256 })), replied_at };
}
