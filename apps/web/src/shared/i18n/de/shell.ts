import type { TextsOf } from '../texts.ts';
import { shellFirst } from './shell-first.ts';

export const shell: TextsOf<'shell'> = {
  ...shellFirst,
  skip: 'Zum Inhalt springen',
  mainNavigation: 'Hauptmenü',
  areas: {
    dashboard: 'Übersicht',
    field: 'Einsatz vor Ort',
    tasks: 'Maßnahmen',
    sync: 'Abgleich & Offline',
    profile: 'Profil',
  },
  personalAreas: { dashboard: 'Mein Weg', tasks: 'Meine Schritte', field: 'Mein Alltag' },
  short: { field: 'Vor Ort', daily: 'Alltag' },
  syncLink: 'Abgleich: {{status}}',
  switcher: {
    open: 'Organisation oder Playbook wechseln. Offen: {{playbook}}, {{organisation}}',
    title: 'Wo du arbeitest',
    act: 'Playbook wechseln',
    organisations: 'Organisation',
    playbooks: 'Playbook',
    company: 'Firma',
    personal: 'Persönlich, nur du',
    privateSpace: 'Dein eigener Raum',
    noPlaybooks: 'Diese Organisation hat noch kein Playbook. Eine Leitung kann eines anlegen.',
    done: 'Fertig',
    organizationSwitched: 'Organisation gewechselt',
    playbookSelected: 'Playbook gewählt',
  },
  noSpace: {
    title: 'Du bist noch in keiner Organisation',
    text: 'Sobald dich jemand einlädt, zeigt es sich hier. Wurdest du gerade hinzugefügt, warte einen Moment: es kommt von selbst.',
    waiting: 'Deine Organisationen werden geholt',
  },
  offline: {
    lost: 'Verbindung verloren',
    lostDetail: 'Du bist gerade offline. Manches geht dann nicht.',
  },
  tasks: { title: 'Maßnahmen', personalTitle: 'Meine Schritte' },
  profile: {
    signOut: 'Abmelden',
  },
  sample: {
    remove: 'Beispieldaten entfernen',
    ask: 'Die Beispieldaten entfernen?',
    text: '„{{name}}“ und alles darin verschwindet, für alle und endgültig: Menschen bleiben, ihre eigenen Räume bleiben.',
    keep: 'Behalten',
    yes: 'Entfernen',
    done: 'Die Beispieldaten sind entfernt',
  },
  leave: {
    title: '{{what}} auf diesem Gerät',
    text_one:
      'Es hat den Server noch nicht erreicht. Nichts wird gelöscht: Du kannst auf eine Verbindung warten, oder dich abmelden, dann wird es nach deiner nächsten Anmeldung auf diesem Gerät gesendet.',
    text_other:
      'Sie haben den Server noch nicht erreicht. Nichts wird gelöscht: Du kannst auf eine Verbindung warten, oder dich abmelden, dann werden sie nach deiner nächsten Anmeldung auf diesem Gerät gesendet.',
    waits_one: '{{what}} wartet',
    waits_other: '{{what}} warten',
    wait: 'Warten',
    keep: 'Abmelden und bis zu meiner nächsten Anmeldung auf diesem Gerät behalten',
    failed: 'Das Abmelden hat nicht geklappt',
    failedTitle: 'Fehler beim Abmelden',
    succeeded: 'Abgemeldet',
  },
  roles: { admin: 'Organisationsleitung', manager: 'Leitung', member: 'Mitglied', auditor: 'Prüfer' },
};
