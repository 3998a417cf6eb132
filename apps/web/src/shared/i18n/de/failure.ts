import type { TextsOf } from '../texts.ts';

export const failure: TextsOf<'failure'> = {
  not_found: 'Das Gesuchte wurde nicht gefunden.',
  not_allowed: 'Dazu bist du nicht berechtigt.',
  stale_version: 'Jemand war schneller und hat das geändert. Sieh nach und versuche es noch einmal.',
  offline: 'Du bist offline. Für diesen Schritt braucht es eine Verbindung.',
  storage_full: 'Auf diesem Gerät ist kein Platz mehr. Schaffe etwas Platz und versuche es noch einmal.',
  invalid: 'Hier stimmt eine Angabe nicht. Prüfe sie und versuche es noch einmal.',
  too_large: 'Das ist zu groß, um es zu speichern. Mach es kleiner und versuche es noch einmal.',
  stalled:
    'Diese Datei ließ sich nicht lesen: 10 Sekunden lang ging es nicht weiter. Versuche es noch einmal oder speichere sie in ihrem Programm neu.',
  signed_out: 'Deine Sitzung ist abgelaufen. Bitte melde dich wieder an.',
};
