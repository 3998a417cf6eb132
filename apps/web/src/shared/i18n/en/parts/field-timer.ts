/** A stopwatch, of the area `field`. */
export const timer = {
  start: 'Start',
  pause: 'Pause',
  goOn: 'Go on',
  reset: 'Reset',
  undo: 'Undo',
  wasReset: 'The stopwatch was reset',
  byHand: 'Or type the time',
  byHandHint: 'Minutes and seconds, e.g. 1:30',
  wrong: 'Write minutes and seconds, e.g. 1:30.',
  over: 'Time is up',
  progress: 'Time gone by',
  of: '{{gone}} of {{target}}',
  running: 'still running, from {{time}}',
} as const;
