import type { TextsOf } from '../../texts.ts';

/** A stopwatch, of the area `field`. */
export const timer: TextsOf<'field'>['timer'] = {
  start: 'Starten',
  pause: 'Anhalten',
  goOn: 'Weiter',
  reset: 'Zurücksetzen',
  undo: 'Rückgängig',
  wasReset: 'Die Stoppuhr wurde zurückgesetzt',
  byHand: 'Oder die Zeit eintippen',
  byHandHint: 'Minuten und Sekunden, etwa 1:30',
  wrong: 'Schreibe Minuten und Sekunden, etwa 1:30.',
  over: 'Die Zeit ist um',
  progress: 'Vergangene Zeit',
  of: '{{gone}} von {{target}}',
  running: 'läuft noch, ab {{time}}',
};
