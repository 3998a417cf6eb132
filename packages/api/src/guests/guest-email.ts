export type GuestEmail = { to: string; subject: string; text: string };

const words = {
  en: {
    subject: (organization: string) => `Work request from ${organization}`,
    text: 'Someone there has assigned work to you. Open this link to see what needs to be done and by when. You can accept or decline it there, and report it as done:',
    until: (day: string) => `The link is valid until ${day}. You do not need an account.`,
    ending:
      'Anyone with this link can answer on your behalf, so do not share it. If you did not expect this email, you can ignore it.',
  },
  de: {
    subject: (organization: string) => `${organization} bittet dich, etwas zu erledigen`,
    text: 'Jemand dort hat dir eine Arbeit zugewiesen. Öffne diesen Link, um zu sehen, was bis wann zu tun ist. Dort kannst du zu- oder absagen und sie als erledigt melden:',
    until: (day: string) => `Der Link gilt bis ${day}. Du brauchst kein Konto.`,
    ending:
      'Wer den Link hat, kann in deinem Namen antworten: Gib ihn nicht weiter. Wenn du diese E-Mail nicht erwartet hast, musst du nichts tun.',
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
