import type { TextsOf } from '../texts.ts';

export const share: TextsOf<'share'> = {
  title: 'Mit Cairn geteilt',
  text: 'Sag, wozu es gehört. Bis dahin wartet es auf diesem Telefon, und nur du siehst es.',
  notYours: 'Andere Apps und Webseiten können hier Dateien ablegen. Entferne, was du nicht selbst geteilt hast.',
  removeAll: 'Alles entfernen',
  loading: 'Geteiltes wird gelesen',
  files: 'Dateien',
  size: '{{size}} kB',
  remove: '{{name}} entfernen',
  target: 'Wozu gehört es?',
  search: 'Prüfungen und Maßnahmen suchen',
  inspection: 'Laufende Prüfung',
  actionItem: 'Maßnahme',
  question: 'Zu welcher Frage?',
  picturesOnly: 'Eine Prüfung nimmt nur Bilder. Wähle für andere Dateien eine Maßnahme.',
  noTargets:
    'Hier ist nichts offen, wozu es gehören könnte. Beginne eine Prüfung oder lege eine Maßnahme an; das Geteilte wartet.',
  noneFound: 'Nichts passt. Versuche es mit anderen Wörtern.',
  attach: 'Anhängen',
  chooseFirst: 'Wähle, wozu es gehört.',
  questionFirst: 'Wähle die Frage, zu der es gehört.',
  attached_one: '{{count}} Datei angehängt',
  attached_other: '{{count}} Dateien angehängt',
  empty: 'Es wartet nichts',
  emptyText: 'Teile aus einer anderen App ein Foto oder eine Datei mit Cairn; es kommt hierher, auch ohne Netz.',
  problem: {
    empty: 'Da war nichts dabei. Teile ein Foto, ein Bild oder ein PDF.',
    full: 'Auf diesem Gerät ist kein Platz mehr, deshalb wurde nichts behalten. Schaffe Platz und teile noch einmal.',
    failed: 'Das Geteilte konnte nicht behalten werden. Teile es noch einmal.',
  },
};
