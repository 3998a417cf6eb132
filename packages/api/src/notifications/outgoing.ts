import { oneLine } from '@cairn/base/one-line.ts';
import { moduleName } from '@cairn/core/notifications/module-names.ts';
import { sentenceOf } from '@cairn/core/notifications/sentences.ts';

/** A row of `inbox.claim`: one notification to be told outside the app. */
export type OutgoingNotification = {
  delivery: string;
  person: string;
  cadence: 'immediate' | 'daily';
  email: string | null;
  /** A number they confirmed, E.164 without `+`. */
  phone: string | null;
  language: string;
  notification: string;
  type: string;
  module: string;
  private: boolean;
  params: Record<string, unknown>;
  path: string;
};

export type MailText = { subject: string; text: string };

const words = {
  en: {
    digest: (n: number) => `You have ${n} new ${n === 1 ? 'notification' : 'notifications'} in Cairn`,
    private: 'You have a new notification. Open Cairn to read it.',
    why: 'Anything you read in Cairn is not emailed to you. Choose which emails you get, and when:',
  },
  de: {
    digest: (n: number) => `Du hast ${n} neue ${n === 1 ? 'Benachrichtigung' : 'Benachrichtigungen'} in Cairn`,
    private: 'Du hast eine neue Benachrichtigung. Öffne Cairn, um sie zu lesen.',
    why: 'Was du in Cairn liest, kommt nicht per E-Mail. Wähle, welche E-Mails du wann bekommst:',
  },
};

const SUBJECT_LENGTH = 150;
const wordsIn = (language: string) => (language.startsWith('de') ? words.de : words.en);

/** What may be said outside the app: of private things only which module they come from. */
function lineOf(row: OutgoingNotification): string {
  if (row.private) return `${moduleName(row.module, row.language)}: ${wordsIn(row.language).private}`;
  return sentence(row);
}

/** Code points of one name or title in a sentence. */
const WORDS_LENGTH = 1000;

/** The sentence, in one line: what others wrote begins no line of its own among ours. */
function sentence({ type, params, language }: OutgoingNotification): string {
  const said = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? oneLine(value, WORDS_LENGTH) : value,
  ]);
  return sentenceOf(type, Object.fromEntries(said), language);
}

/**
 * One mail for one person: a single thing, or the digest of a day, by module.
 *
 * @param rows of one person, at least one
 * @param site address of the app, without a slash at its end
 */
export function mailOf(rows: readonly [OutgoingNotification, ...OutgoingNotification[]], site: string): MailText {
  const [first] = rows;
  const { digest, why } = wordsIn(first.language);
  const subject = first.cadence === 'daily' ? digest(rows.length) : lineOf(first);
  const byModule = Map.groupBy(rows, row => row.module);
  const parts = [...byModule].map(([module, its]) => {
    const lines = its.map(row => `- ${lineOf(row)}\n  ${site}${row.path}`);
    return [moduleName(module, first.language), ...lines].join('\n');
  });
  const text = [...parts, `--\n${why}\n${site}/notifications?view=settings`].join('\n\n');
  return { subject: subject.replaceAll(/\s+/g, ' ').slice(0, SUBJECT_LENGTH), text };
}

/** What the service worker gets; nothing beyond this leaves for a push service. */
export type PushMessage = { id: string; title: string; body: string; path: string };

/** A push message: the sentence under its module's name; a private one names its module only. */
export function pushOf(row: OutgoingNotification): PushMessage {
  const title = moduleName(row.module, row.language);
  const body = row.private ? wordsIn(row.language).private : sentence(row);
  return { id: row.notification, title, body, path: row.path };
}

/** Characters: three parts of a text message. */
const TEXT_LENGTH = 400;

/** A text message: the sentence, and where to read on. A private one names its module only. */
export function textOf(row: OutgoingNotification, site: string): string {
  const address = `${site}${row.path}`;
  const line = `Cairn: ${lineOf(row)}`.replaceAll(/\s+/g, ' ').slice(0, Math.max(0, TEXT_LENGTH - address.length - 1));
  return `${line} ${address}`;
}
