import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's root folder, without a trailing slash. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
