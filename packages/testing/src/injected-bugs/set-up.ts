import { inTheBackend } from './in-the-backend.ts';
import { inTheStorage } from './in-the-storage.ts';
import { inTimeAndSql } from './in-time-and-sql.ts';

// vitest loads this before a test file when MUTANT is set (vitest.config.ts): one bug of another engine is put back.
const id = process.env['MUTANT'] ?? '';
const injectedBug = { ...inTheBackend, ...inTheStorage, ...inTimeAndSql }[id];
if (!injectedBug) throw new Error(`no injected bug ${id}`);
injectedBug();
