import type { TextsOf } from '../../texts.ts';

/** What an answer asks for besides, of the area `builder`. */
export const follow: TextsOf<'builder'>['follow'] = {
  hint: 'Was eine Antwort außerdem verlangt. Wer prüft, erfährt es sofort.',
  failed: 'Bei einem Mangel',
  when: 'Bei manchen Antworten',
  answer: 'Wenn die Antwort ist',
  otherwise: 'Wie die Formel sagt',
  formula: 'Solange',
  formulaHint: 'Ein Punkt steht für die Antwort: . > 80',
  photo: 'Ein Foto ist nötig',
  note: 'Eine Notiz ist nötig',
  action: 'Legt eine Maßnahme an',
  title: 'Titel der Maßnahme',
  titleHint: 'Leer: die Frage selbst',
  priority: 'Priorität',
  critical: 'Das Objekt ist außer Betrieb, bis jemand die Reparatur geprüft hat.',
  criticalHint:
    'Die Frage ist kritisch: Ein Mangel legt immer eine kritische Maßnahme an, und das Objekt ist außer Betrieb, bis sie geprüft ist.',
  assignee: 'Für',
  assigneeHint: 'Von mehreren: wer dem Ort am nächsten ist und am wenigsten zu tun hat.',
  assigneeGone: 'Diese Person ist nicht mehr da: Wer den Ort leitet, bekommt sie.',
  nobody: 'Noch niemand',
  somebody: 'Jemand, der nicht mehr da ist',
  conductorsManager: 'Wer die prüfende Person leitet',
  roles: { member: 'Ein Mitglied am Ort', manager: 'Eine Leitung am Ort', admin: 'Jemand von der Verwaltung' },
  due: 'Fällig in',
  unit: 'Einheit',
  units: { days: 'Tage', hours: 'Stunden' },
  add: 'Hinzufügen, was eine Antwort verlangt',
  remove: 'Das entfernen',
};
