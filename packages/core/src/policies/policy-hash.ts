import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Json } from '@cairn/schema';
import { policyFileOf } from './policy-file.ts';

/** What a reader has before them. */
export type ShownContent = { title: string; body: string; quiz?: string | null; file?: Json };

/**
 * What a word on a policy stands for: sha-256 (hex) over its title, an empty line and its Markdown, exactly as shown; and, where
 * a quiz belongs to it, a zero byte, which no text holds, and the quiz as it is kept; and, where its words are in a file, two zero
 * bytes and the SHA-256 of that file. The database works out the same for each version and takes no acknowledgement of anything else.
 */
export function policyHash({ title, body, quiz, file }: ShownContent): string {
  const words = `${title}\n\n${body}`;
  // A version that was kept before there were quizzes has no such column.
  const asked = typeof quiz === 'string' ? `\0${quiz}` : '';
  const stored = policyFileOf(file === undefined ? {} : { file });
  return bytesToHex(sha256(utf8ToBytes(words + asked + (stored ? `\0\0${stored.sha256}` : ''))));
}

/** "9f2c 71d0 … 41ab": enough to compare two by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`;
