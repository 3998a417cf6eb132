import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Json } from '@cairn/schema';
import type { QuestionState } from './form-state.ts';

/** JSON that is the same text for the same content: keys in code-unit order, no spaces, undefined left out. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map(key => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(',')}}`;
}

/**
 * What a signature stands for: sha-256 (hex) over the form's version and every answer that was visible, as signed.
 *
 * It is worked out synchronously, so that it can be done inside a store transaction on the very rows it covers.
 */
export function contentHash(versionId: string, questions: readonly QuestionState[]): string {
  return hashOf({ form_version_id: versionId, answers: givenAnswers(questions) });
}

/** sha-256 (hex) over what was answered to some questions, whichever version of the form they stand in. */
export const answersHash = (questions: readonly QuestionState[]): string => hashOf(givenAnswers(questions));

const hashOf = (content: Json): string => bytesToHex(sha256(utf8ToBytes(canonicalJson(content))));

function givenAnswers(questions: readonly QuestionState[]): Record<string, Json> {
  const answers: [string, Json][] = [];
  for (const { path, value, note, mediaIds, voiceIds, answered } of questions) {
    if (!answered && note === null && voiceIds.length === 0) continue;
    // Named only where there is one, so that what was signed before there were any keeps its hash.
    answers.push([path, { value, note, media: [...mediaIds], ...(voiceIds.length > 0 && { voice: [...voiceIds] }) }]);
  }
  return Object.fromEntries(answers);
}
