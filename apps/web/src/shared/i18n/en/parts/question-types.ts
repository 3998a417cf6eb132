import type { FittedType, QuestionType } from '@cairn/core/forms/question-types/question-types.ts';

type TypeTexts = Record<QuestionType, { name: string; hint: string }> & Record<FittedType, { misfit: string }>;

/** What each type of question is called, what it is for, and what is said of an answer that is none, of the area `field`. */
export const types = {
  text: { name: 'Text', hint: 'Words, short or long', misfit: 'This must be a text.' },
  integer: {
    name: 'Whole number',
    hint: 'A count, e.g. hours',
    misfit: 'This must be a whole number, without a point or comma.',
  },
  decimal: {
    name: 'Number',
    hint: 'A measure, e.g. 1.6',
    misfit: 'This must be a number, with nothing between the thousands.',
  },
  range: { name: 'Number on a scale', hint: 'A slider or stars' },
  timer: { name: 'Stopwatch', hint: 'A stopwatch, or a countdown', misfit: 'This must be a time such as 1:30.' },
  select_one: { name: 'One of a list', hint: 'One answer of several' },
  select_multiple: { name: 'Several of a list', hint: 'Any of several answers' },
  rank: { name: 'Put in order', hint: 'Which comes first?' },
  pass_fail: { name: 'Pass, fail, N/A', hint: 'Counts for the score' },
  acknowledge: { name: 'To confirm', hint: 'Seen and confirmed', misfit: 'This must be confirmed.' },
  barcode: { name: 'Barcode or QR code', hint: 'What a tag or label says', misfit: 'This must be what a code says.' },
  photo: { name: 'Photo', hint: 'From camera or gallery' },
  audio: { name: 'Sound recording', hint: 'A voice note or a noise' },
  video: { name: 'Film', hint: 'A short film' },
  file: { name: 'File', hint: 'Any document' },
  signature: { name: 'Signature', hint: 'Drawn with a finger', misfit: 'This must be a signature.' },
  date: { name: 'Date', hint: 'A day', misfit: 'This must be a date.' },
  time: { name: 'Time', hint: 'A time of day', misfit: 'This must be a time.' },
  datetime: { name: 'Date and time', hint: 'A day with its time', misfit: 'This must be a date and a time.' },
  geopoint: { name: 'Place', hint: 'Where somebody stands', misfit: 'This must be a place.' },
  geotrace: { name: 'Way', hint: 'A line that was walked', misfit: 'This must be a way with two places or more.' },
  geoshape: {
    name: 'Area',
    hint: 'An area that was walked around',
    misfit: 'This must be an area with three corners or more.',
  },
  note: { name: 'Text to read', hint: 'Shown, asks nothing' },
  calculate: { name: 'Worked out', hint: 'Worked out from answers, not shown' },
} as const satisfies TypeTexts;
