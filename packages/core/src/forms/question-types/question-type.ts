import type { Json } from '@cairn/schema';
import type { Value } from '../expression/expression-values.ts';

/** The steps a scale offers, both ends included. */
type Range = { start: number; end: number; step: number };

/** What belongs to a question because of its type, beside its list. */
export type OwnParts = {
  range?: Range | undefined;
  target_seconds?: number | undefined;
  allow_na?: boolean | undefined;
};

/** What is wrong with an answer that hangs on more than its type; the text is `fault.<fault>`. */
export type PartsMisfit = { fault: 'one_of' | 'between' | 'steps'; numbers?: Readonly<Record<string, number>> };

/**
 * All that is pure about one type of question: core, the importers, the runner, the builder and the report ask this, and list no types
 * of their own.
 */
export type QuestionTypeDef = {
  /**
   * Where the answer is: a value, files (the answer's media_ids), a drawing that stands for the other answers. Of `shown` and
   * `worked_out` nobody is asked anything: the one is a text to read, the other is never seen.
   */
  answer: 'value' | 'files' | 'drawing' | 'shown' | 'worked_out';
  /** Types of one kin take each other's answers and defaults. */
  kin?: 'number' | 'text';
  /** The answer is taken from a list: one choice of it, several, or all of them in an order. */
  chooses?: 'one' | 'several' | 'order';
  /** What a question of this type cannot be without, beside its list. */
  needs?: 'calculation' | 'range';
  /** Whether a value is an answer of this type; where it is none, the text `types.<type>.misfit` says so. */
  fits?: (value: Json) => boolean;
  /** In place of `fits` where an answer hangs on the question, too. */
  misfit?: (value: Json, parts: OwnParts) => PartsMisfit | null;
  /** What a worked-out value, neither empty nor NaN, is as an answer. Left out: nothing can be worked out for it. */
  fromValue?: (value: Value) => Json;
  /** What a new question of this type has from the beginning. */
  begins?: OwnParts & { required?: true };
  /** What of its own a question keeps, or gets, when it is turned into this type. */
  ownParts?: (before: OwnParts) => OwnParts;
  /** The answer is `pass`, `fail` or `na`: it counts without rules of scoring, and is given at the foot of the screen. */
  judges?: true;
  /** How the answer is read, where its value alone does not say it: see `plainAnswerText` in `answer-text.ts` of the app. */
  reads?: 'seconds' | 'moment';
  /** Places that a device measured: one spot, a way, or an area. */
  places?: 'spot' | 'way' | 'area';
  /** How a plain value in a file is a default of it: null where files write none that could stand as one. */
  literalDefault: 'number' | 'text' | 'day' | 'names' | null;
  xlsform: XlsFormSpelling;
  /** How XForms ask for it; empty where they know no such question. */
  xform: XFormSpelling;
};

/** How the type column of XLSForm says a type. */
type XlsFormSpelling = {
  /** What this app writes. */
  written: string;
  /** The appearance that tells it from other questions of the type that is written. */
  look?: string;
  /** What is read: lower case, single spaces between. Those of `looks` stand for an appearance besides. */
  names?: readonly string[];
  looks?: Readonly<Record<string, string>>;
  /** Reads what is followed by the name of a list, which it captures. */
  listed?: RegExp;
  /** No calculation makes such an answer: a row that has one all the same is still a question. */
  isNeverWorkedOut?: true;
};

type XFormSpelling = {
  /** Types of a bind whose `input` is this question. */
  inputs?: readonly string[];
  /** The element that asks this alone. */
  control?: string;
  /** How the `mediatype` of its `upload` begins. */
  media?: string;
};
