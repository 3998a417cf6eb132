import type { TextsOf } from '../texts.ts';

export const insights: TextsOf<'insights'> = {
  loading: 'Deine Einblicke werden ausgerechnet',
  only: 'Auf diesem Gerät ausgerechnet, nur für dich',
  empty: {
    title: 'Noch nichts zu sagen',
    text: 'Deine Check-ins, Gewohnheiten und Ziele zeigen hier, was sie miteinander zu tun haben, sobald Tage zusammenkommen.',
  },
  momentum: {
    title: 'Schwung',
    none: 'Kein Ziel ist unterwegs.',
    weeks_one: 'bewegt in {{moved}} von {{count}} Woche',
    weeks_other: 'bewegt in {{moved}} von {{count}} Wochen',
  },
  steady: {
    title: 'Beständigkeit',
    none: 'Nach vier Wochen steht hier, wie beständig etwas ist.',
    checkIns: 'Check-ins',
    days_one: '{{days}} von {{count}} Tag',
    days_other: '{{days}} von {{count}} Tagen',
    before_one: '{{count}} in den vier Wochen davor',
    before_other: '{{count}} in den vier Wochen davor',
    first: 'Die ersten vier Wochen: noch kein Vergleich',
  },
  together: {
    title: 'Was mit der Stimmung einhergeht',
    none_one: 'Dazu steht hier nichts, bevor es {{count}} eigenen Tag gibt.',
    none_other: 'Dazu steht hier nichts, bevor es {{count}} Tage gibt, die nicht alle dem Vortag gleichen.',
    sleep_hours: 'Stunden Schlaf',
    energy: 'Energie',
    stress: 'Stress',
    up: 'An Tagen mit mehr davon war die Stimmung besser.',
    down: 'An Tagen mit mehr davon war die Stimmung schlechter.',
    open: 'Es kann so oder so sein: Diese Tage sagen es nicht.',
    between_one: 'Zwischen {{from}} und {{to}} (99 %), aus {{count}} Tag, so viel wert wie {{worth}} unabhängige',
    between_other: 'Zwischen {{from}} und {{to}} (99 %), aus {{count}} Tagen, so viel wert wie {{worth}} unabhängige',
    caution_one: '−1 bis +1; {{count}} Sache wurde angesehen. Was woran liegt, sagt das nicht.',
    caution_other: '−1 bis +1; {{count}} Dinge wurden angesehen. Was woran liegt, sagt das nicht.',
  },
  review: {
    title: 'Meilensteine aus 90 Tagen',
    none: 'Kein Meilenstein wurde erreicht, und keiner wartet über seinen Tag hinaus.',
    inTime_one: '{{kept}} von {{count}} mit Termin rechtzeitig',
    inTime_other: '{{kept}} von {{count}} mit Termin rechtzeitig',
    reached: '{{goal}} · erreicht am {{date}}',
    late: '{{goal}} · sollte am {{date}} da sein',
  },
};
