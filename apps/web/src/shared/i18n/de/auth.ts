import type { TextsOf } from '../texts.ts';

export const auth: TextsOf<'auth'> = {
  title: 'Anmelden',
  subtitle: 'Deine Arbeit und dein eigener Raum, ein Konto.',
  email: 'E-Mail',
  password: 'Passwort',
  showPassword: 'Passwort zeigen',
  hidePassword: 'Passwort verbergen',
  forgot: 'Vergessen',
  submit: 'Anmelden',
  submitting: 'Anmeldung läuft',
  line1: 'Jeder Schritt markiert.',
  line2: 'Auch dort, wo kein Netz ist.',
  expired: 'Deine Sitzung ist abgelaufen. Bitte melde dich wieder an.',
  elsewhere: 'Du hast dich in einem anderen Fenster abgemeldet.',
  expiredDetail: 'Was du auf diesem Gerät gespeichert hast, ist noch da und wird gesendet, sobald du angemeldet bist.',
  offline: 'Du bist offline. Zum Anmelden braucht es eine Verbindung.',
  failedTitle: 'Anmeldung fehlgeschlagen',
  failed: {
    missing: 'E-Mail und Passwort werden gebraucht',
    invalid: 'E-Mail oder Passwort ist falsch',
    unconfirmed: 'Bitte bestätige deine E-Mail-Adresse, bevor du dich anmeldest',
    network: 'Netzwerkfehler. Bitte prüfe deine Verbindung und versuche es noch einmal.',
    no_session: 'Der Server hat keine Sitzung geliefert',
    other: 'Anmeldung fehlgeschlagen ({{detail}}): {{message}}',
  },
  succeeded: 'Angemeldet',
};
