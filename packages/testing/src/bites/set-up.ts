import { inTheBackend } from './in-the-backend.ts';
import { inTheStorage } from './in-the-storage.ts';
import { inTimeAndSql } from './in-time-and-sql.ts';

// vitest loads this before a test file when BITE is set (vitest.config.ts): one bug of another engine is put back.
const id = process.env['BITE'] ?? '';
const bite = { ...inTheBackend, ...inTheStorage, ...inTimeAndSql }[id];
if (!bite) throw new Error(`no bite ${id}`);
bite();
