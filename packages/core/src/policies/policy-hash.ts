import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * What a word on a policy stands for: sha-256 (hex) over its title, an empty line and its Markdown, exactly as shown. The
 * database works out the same for each version and takes no acknowledgement of anything else.
 */
export const policyHash = ({ title, body }: { title: string; body: string }): string =>
  bytesToHex(sha256(utf8ToBytes(`${title}\n\n${body}`)));

/** "9f2c 71d0 … 41ab": enough to compare two by eye. */
export const shortHash = (hash: string): string => `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`;
