export type GuestEmail = { to: string; subject: string; text: string };

const words = {
  en: {
    subject: (organization: string) => `${organization} asks you to do something`,
    text: 'Somebody there has given you one piece of work. Open this link to see what is asked and until when, to say yes or no, and to say that it is done:',
    until: (day: string) => `The link opens until ${day}. You need no account.`,
    ending:
      'Whoever has the link can answer in your name: keep it to yourself. If you did not expect it, you need not do anything.',
  },
  de: {
    subject: (organization: string) => `${organization} bittet dich, etwas zu erledigen`,
    text: 'Jemand dort hat dir eine Arbeit gegeben. Öffne diesen Link, um zu sehen, was bis wann zu tun ist, um zu- oder abzusagen und um zu sagen, dass es erledigt ist:',
    until: (day: string) => `Der Link gilt bis ${day}. Du brauchst kein Konto.`,
    ending:
      'Wer den Link hat, kann in deinem Namen antworten: Gib ihn nicht weiter. Wenn du ihn nicht erwartet hast, musst du nichts tun.',
  },
};

const SUBJECT_LENGTH = 150;

type GuestInvitation = {
  to: string;
  organization: string;
  link: string;
  /** YYYY-MM-DD. */
  until: string;
  german: boolean;
};

/**
 * The letter somebody outside gets with their link. What is to be done stands on the page alone: a letter to anybody's address
 * carries no words of its sender, but for the organisation's name on the one line it belongs to.
 */
export function guestEmail({ to, organization, link, until, german }: GuestInvitation): GuestEmail {
  const { subject, text, until: lasts, ending } = german ? words.de : words.en;
  const line = subject(organization).replaceAll(/\s+/g, ' ').slice(0, SUBJECT_LENGTH);
  const format = new Intl.DateTimeFormat(german ? 'de' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const day = format.format(new Date(`${until}T12:00:00Z`));
  return { to, subject: line, text: [text, link, lasts(day), ending].join('\n\n') };
}
