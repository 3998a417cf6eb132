import type { ComponentType } from 'react';
import {
  Calculator,
  CalendarClock,
  CalendarDays,
  Camera,
  CheckCheck,
  CircleDot,
  Clock,
  FileText,
  Hash,
  Info,
  ListChecks,
  ListOrdered,
  MapPin,
  Mic,
  Percent,
  QrCode,
  Route,
  ShieldCheck,
  Signature,
  SlidersHorizontal,
  Spline,
  TextCursorInput,
  Timer,
  Video,
  type LucideIcon,
} from 'lucide-react';
import type { PlainCondition } from '@cairn/core/forms/expression/plain-condition.ts';
import type { QuestionType } from '@cairn/core/forms/question-types/question-types.ts';
import { CalculationField } from './calculation-field.tsx';
import { ChoicePart } from './choice-part.tsx';
import { NumberDefault, SpanDefault, TextDefault } from './default-fields.tsx';
import type { QuestionParts } from './question-parts.ts';
import { RangeFields } from './range-fields.tsx';
import { TimerFields } from './timer-fields.tsx';

type Test = PlainCondition['test'];

/** What the builder shows and asks about a type of question. */
type TypeEditor = {
  /** A drawing for it; its name always stands with it. */
  icon: LucideIcon;
  /** What it is for: under which heading it is offered, in the order of this list. */
  shelf: 'check' | 'write' | 'prove' | 'quiet';
  /** How a condition can compare its answer; the first is offered first. */
  tests: readonly Test[];
  /** What only this type asks its author. */
  Fields?: ComponentType<QuestionParts>;
  /** A default that is typed; without it one is only worked out. */
  Default?: ComponentType<Pick<QuestionParts, 'question' | 'set'>>;
};

const GIVEN: readonly Test[] = ['answered', 'unanswered'];
const EQUAL: readonly Test[] = ['is', 'is_not', ...GIVEN];
const COMPARED: readonly Test[] = ['is', 'is_not', 'more', 'less', ...GIVEN];

/** The builder's part of each type of question. */
export const typeEditors: Readonly<Record<QuestionType, TypeEditor>> = {
  pass_fail: { icon: CheckCheck, shelf: 'check', tests: EQUAL },
  select_one: { icon: CircleDot, shelf: 'check', tests: EQUAL, Fields: ChoicePart, Default: TextDefault },
  select_multiple: { icon: ListChecks, shelf: 'check', tests: ['has', ...GIVEN], Fields: ChoicePart },
  acknowledge: { icon: ShieldCheck, shelf: 'check', tests: GIVEN },
  rank: { icon: ListOrdered, shelf: 'check', tests: GIVEN, Fields: ChoicePart },
  range: { icon: SlidersHorizontal, shelf: 'check', tests: COMPARED, Fields: RangeFields, Default: NumberDefault },
  timer: { icon: Timer, shelf: 'check', tests: COMPARED, Fields: TimerFields, Default: SpanDefault },
  text: { icon: TextCursorInput, shelf: 'write', tests: EQUAL, Default: TextDefault },
  integer: { icon: Hash, shelf: 'write', tests: COMPARED, Default: NumberDefault },
  decimal: { icon: Percent, shelf: 'write', tests: COMPARED, Default: NumberDefault },
  date: { icon: CalendarDays, shelf: 'write', tests: GIVEN, Default: TextDefault },
  time: { icon: Clock, shelf: 'write', tests: GIVEN, Default: TextDefault },
  datetime: { icon: CalendarClock, shelf: 'write', tests: GIVEN },
  barcode: { icon: QrCode, shelf: 'write', tests: EQUAL, Default: TextDefault },
  photo: { icon: Camera, shelf: 'prove', tests: GIVEN },
  signature: { icon: Signature, shelf: 'prove', tests: GIVEN },
  audio: { icon: Mic, shelf: 'prove', tests: GIVEN },
  video: { icon: Video, shelf: 'prove', tests: GIVEN },
  file: { icon: FileText, shelf: 'prove', tests: GIVEN },
  geopoint: { icon: MapPin, shelf: 'prove', tests: GIVEN },
  geotrace: { icon: Route, shelf: 'prove', tests: GIVEN },
  geoshape: { icon: Spline, shelf: 'prove', tests: GIVEN },
  note: { icon: Info, shelf: 'quiet', tests: GIVEN },
  calculate: { icon: Calculator, shelf: 'quiet', tests: COMPARED, Fields: CalculationField },
};

/** What can be added, by what it is for. */
export const typesOn = (shelf: TypeEditor['shelf']): QuestionType[] =>
  (Object.keys(typeEditors) as QuestionType[]).filter(type => typeEditors[type].shelf === shelf);
