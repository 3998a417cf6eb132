import type { TextsOf } from '../../texts.ts';

export const conflictTexts: Pick<TextsOf<'sync'>, 'told' | 'another' | 'conflictAll' | 'goneMore'> = {
  told: {
    yes: 'Ja',
    no: 'Nein',
    choose: 'Bitte wählen',
    mine: '{{words}} (von dir)',
    theirs: '{{words}} (von jemand anderem)',
    before: '{{words}} (vorher)',
    within: '{{field}}: {{words}}',
    opaque: 'Etwas, wofür es keine Worte gibt',
    more_one: '{{count}} weitere Einzelheit',
    more_other: '{{count}} weitere Einzelheiten',
    entries_one: '{{count}} Eintrag',
    entries_other: '{{count}} Einträge',
    every: { day: 'Jeden Tag', week: 'Jede Woche', month: 'Jeden Monat', year: 'Jedes Jahr' },
    several: {
      day: 'Alle {{number}} Tage',
      week: 'Alle {{number}} Wochen',
      month: 'Alle {{number}} Monate',
      year: 'Alle {{number}} Jahre',
    },
  },
  another: {
    organizations: 'Eine andere Organisation',
    sites: 'Ein anderer Standort',
    playbooks: 'Ein anderes Playbook',
    teams: 'Ein anderes Team',
    assets: 'Eine andere Anlage',
    forms: 'Ein anderes Formular',
    form_versions: 'Eine andere Version des Formulars',
    inspections: 'Eine andere Prüfung',
    tasks: 'Eine andere Aufgabe',
    task_series: 'Eine andere Reihe',
    action_items: 'Eine andere Maßnahme',
    policies: 'Eine andere Richtlinie',
    policy_versions: 'Eine andere Version der Richtlinie',
    goals: 'Ein anderes Ziel',
    habits: 'Eine andere Gewohnheit',
    media: 'Ein anderes Foto oder eine andere Datei',
    record: 'Ein anderer Datensatz',
  },
  conflictAll: {
    text_one:
      '{{count}} Sache darin wurde hier und auf einem anderen Gerät gesagt. Behalte eine Seite für alles oder entscheide einzeln.',
    text_other:
      '{{count}} Sachen darin wurden hier und auf einem anderen Gerät gesagt. Behalte eine Seite für alle oder entscheide einzeln.',
    alike_one: 'Bei {{count}} davon gaben beide dieselbe Antwort: nur wann oder von wem ist verschieden.',
    alike_other: 'Bei {{count}} davon gaben beide dieselbe Antwort: nur wann oder von wem ist verschieden.',
    same: 'Beide gaben dieselbe Antwort. Nur wann oder von wem ist verschieden.',
    merged:
      'Alles Übrige ist zusammengeführt: Eine Notiz oder ein Foto, das nur eine Seite hat, bleibt bei seiner Antwort.',
    whose: 'Wessen Antwort auf „{{name}}“ gilt?',
    finished:
      'Die Prüfung wurde inzwischen abgeschlossen. Was ein anderes Gerät unterschrieben hat, bleibt so: Dann lässt sich nur die andere Fassung behalten.',
    mine: 'Überall meine behalten',
    theirs: 'Überall die andere behalten',
    each: 'Einzeln entscheiden',
  },
  goneMore: {
    wrote: 'Was du geschrieben hast',
    letTitle: 'Gehen lassen?',
    letText: 'Was du zu „{{name}}“ geschrieben hast, verlässt dieses Gerät und ist endgültig verloren.',
    letYes: 'Gehen lassen',
    letNo: 'Hier behalten',
    tooMany: 'Es hat zu viele Teile, um als Neues zu bleiben. Sichere eine Kopie.',
  },
};
