import type { ComponentType } from 'react';
import type { QuestionType } from '@cairn/core/forms/question-types/question-types.ts';
import type { AnswerProps } from './answer-props.ts';
import { AcknowledgeAnswer, OneAnswer, SeveralAnswer } from './choice-answers.tsx';
import type { FileKind } from './file-answer.tsx';
import { MomentAnswer } from './moment-answer.tsx';
import { PlaceAnswer } from './place-answer.tsx';
import { RangeAnswer } from './range-answer.tsx';
import { RankAnswer } from './rank-answer.tsx';
import { SignatureAnswer } from './signature-answer.tsx';
import { TimerAnswer } from './timer-answer.tsx';
import { BarcodeAnswer, DateAnswer, DecimalAnswer, IntegerAnswer, TextAnswer, TimeAnswer } from './typed-answers.tsx';

/** How a type is answered: by a control of its own, in a strip of files, with the buttons at the foot of the screen, or by nobody. */
type AnswerControlKind = ComponentType<AnswerProps> | { files: FileKind | 'photo' } | 'foot' | 'nobody';

/** The runner's part of each type of question. */
export const answerControls: Readonly<Record<QuestionType, AnswerControlKind>> = {
  text: TextAnswer,
  integer: IntegerAnswer,
  decimal: DecimalAnswer,
  range: RangeAnswer,
  timer: TimerAnswer,
  select_one: OneAnswer,
  select_multiple: SeveralAnswer,
  rank: RankAnswer,
  pass_fail: 'foot',
  acknowledge: AcknowledgeAnswer,
  barcode: BarcodeAnswer,
  photo: { files: 'photo' },
  audio: { files: 'audio' },
  video: { files: 'video' },
  file: { files: 'file' },
  signature: SignatureAnswer,
  date: DateAnswer,
  time: TimeAnswer,
  datetime: MomentAnswer,
  geopoint: PlaceAnswer,
  geotrace: PlaceAnswer,
  geoshape: PlaceAnswer,
  note: 'nobody',
  calculate: 'nobody',
};

/** Which files answer a question of this type; null where something else does. */
export function filesAnswering(type: QuestionType): FileKind | 'photo' | null {
  const by = answerControls[type];
  return typeof by === 'object' && 'files' in by ? by.files : null;
}
