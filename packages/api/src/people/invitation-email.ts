export type InvitationEmail = { to: string; subject: string; text: string };

const words = {
  en: {
    subject: (organization: string) => `You are invited to join ${organization} on Cairn`,
    text: 'Someone has invited you to work with them. Open this link to see the invitation and accept it:',
    ending: 'The link works once and is valid for 14 days. If you did not expect this email, you can ignore it.',
  },
  de: {
    subject: (organization: string) => `Du bist zu ${organization} auf Cairn eingeladen`,
    text: 'Jemand hat dich zur gemeinsamen Arbeit eingeladen. Öffne diesen Link, um die Einladung zu sehen und anzunehmen:',
    ending: 'Der Link gilt einmal, 14 Tage lang. Wenn du diese E-Mail nicht erwartet hast, musst du nichts tun.',
  },
};

const SUBJECT_LENGTH = 150;

/** The mail an invitation travels in. The organisation's name is somebody's text: it stays on the one line it belongs to. */
export function invitationEmail({
  to,
  organization,
  link,
  german,
}: {
  to: string;
  organization: string;
  link: string;
  german: boolean;
}): InvitationEmail {
  const { subject, text, ending } = german ? words.de : words.en;
  const line = subject(organization).replaceAll(/\s+/g, ' ').slice(0, SUBJECT_LENGTH);
  return { to, subject: line, text: [text, link, ending].join('\n\n') };
}
