import type { TextsOf } from '../texts.ts';

export const errors: TextsOf<'errors'> = {
  title: '{{operation}} fehlgeschlagen',
  global: 'Fehler aufgetreten',
  SESSION_EXPIRED: 'Deine Sitzung ist abgelaufen. Bitte melde dich neu an.',
  PERMISSION_DENIED: 'Dafür fehlt dir das Recht.',
  NETWORK_ERROR: 'Netzwerkfehler. Prüfe deine Verbindung und versuche es noch einmal.',
  DUPLICATE_ERROR: 'Das gibt es schon. Versuche es mit anderen Angaben.',
  NOT_FOUND: 'Das Gesuchte wurde nicht gefunden.',
  USER_EXISTS: 'Mit dieser E-Mail gibt es schon ein Konto. Melde dich stattdessen an.',
  STALE_VERSION: 'Jemand war schneller und hat das geändert. Sieh nach und versuche es noch einmal.',
  STORAGE_FULL: 'Auf diesem Gerät ist kein Platz mehr. Schaffe Platz und versuche es noch einmal.',
  INVALID: 'An dieser Eingabe stimmt etwas nicht. Prüfe sie und versuche es noch einmal.',
  NOT_ENCRYPTED: 'Verschlüsseln fehlgeschlagen',
  NOT_DECRYPTED: 'Entschlüsseln fehlgeschlagen: falsches Passwort oder beschädigte Daten',
  NOT_STORED: 'Die Daten konnten nicht sicher gespeichert werden',
  UNEXPECTED: 'Ein unerwarteter Fehler ist aufgetreten',
};
