import type { TextsOf } from '../../texts.ts';

/** What lies on the device, of the area `sync`. */
export const storage: TextsOf<'sync'>['storage'] = {
  title: 'Platz auf diesem Gerät',
  used: 'Von Cairn belegt',
  byArea: 'Was Platz braucht',
  records_one: '{{count}} Datensatz',
  records_other: '{{count}} Datensätze',
  area: {
    tasks: 'Maßnahmen und Aufgaben',
    policies: 'Richtlinien',
    forms: 'Formulare',
    inspections: 'Prüfungen und Antworten',
    training: 'Schulungen',
    media: 'Angaben zu Fotos',
    scans: 'Objekte und Scans',
    users: 'Menschen',
    settings: 'Orte, Playbooks und Einstellungen',
    lifecycle_status: 'Quittungen und Termine',
    issue_reports: 'Meldungen',
    files: 'Fotos und Dateien',
    maps: 'Karten von Standorten',
    outbox: 'Ausgang',
    app: 'Cairn selbst',
    rest: 'Reserve und Verwaltung',
  },
  appText: 'Damit es ohne Netz startet',
  restText: 'Platz, damit du auch auf einem vollen Gerät speichern kannst, und was der Browser dazutut',
  of: '{{used}} von {{quota}}',
  kept: 'Dieser Browser behält deine Arbeit, bis du sie entfernst.',
  mayGo: 'Dieser Browser darf alte Daten löschen, wenn der Platz knapp wird. Sende oft, oder installiere die App.',
};
