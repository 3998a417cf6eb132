import type { TextsOf } from '../texts.ts';

export const diagnostics: TextsOf<'diagnostics'> = {
  title: 'Diagnose',
  text: 'Wie Cairn auf diesem Gerät steht. Kein Passwort, kein Token und kein Mensch wird genannt.',
  refresh: 'Neu prüfen',
  copy: 'Diagnose kopieren',
  copied: 'Kopiert',
  notCopied: 'Dieser Browser ließ nichts kopieren',
  notCopiedDetail: 'Öffne den Text unten und kopiere ihn von Hand.',
  asText: 'Alles als Text',
  dashboard: 'Zurück zur Übersicht',
  errors: 'Letzte Fehler',
  noErrors: 'Keine, seit die App offen ist.',
  checks: {
    platform: 'Plattform',
    session: 'Anmeldung',
    storage: 'Offline-Speicher',
    role: 'Rolle',
    path: 'Aktueller Pfad',
    bridge: 'Plattform-Brücke',
    render: 'Anzeige',
  },
  states: { pending: 'Wird geprüft', success: 'Gut', warning: 'Einen Blick wert', error: 'Kaputt' },
  platform: '{{platform}}, {{size}}.',
  offline: 'Gerade kein Netz.',
  notKept: 'Die App selbst ist noch nicht für offline aufbewahrt.',
  session: {
    out: 'Niemand ist angemeldet.',
    unverified: 'Auf diesem Gerät angemeldet; der Server wurde noch nicht gefragt.',
    verified: 'Angemeldet, und der Server bestätigt es.',
  },
  storage: {
    lasting:
      'Geht auf. {{used}} MB von {{room}} belegt; {{records}} Einträge und {{files}} Dateien warten. Der Browser behält alles auf Dauer.',
    loose:
      'Geht auf. {{used}} MB von {{room}} belegt; {{records}} Einträge und {{files}} Dateien warten. Wird der Platz knapp, darf der Browser ihn leeren.',
  },
  role: {
    out: 'Braucht eine Anmeldung.',
    none: 'In keiner Organisation.',
    is_one: '{{role}}, Playbook {{world}}, {{count}} Organisation.',
    is_other: '{{role}}, Playbook {{world}}, {{count}} Organisationen.',
  },
  minimal: {
    title: 'Cairn auf kurzem Weg',
    out: 'Du bist abgemeldet. Jeder dieser Wege führt über die Anmeldung dorthin.',
    screens: 'Bildschirme',
    tasks: 'Maßnahmen',
    profile: 'Profil',
    settings: 'Einstellungen',
    debug: 'Diagnose',
    quick: 'Schnell erledigt',
    newInspection: 'Neue Prüfung',
    newTask: 'Neue Maßnahme',
  },
  startUp: 'Cairn startet',
};
