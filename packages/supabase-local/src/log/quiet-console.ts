import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from './log.ts';

const inLibrary = new AsyncLocalStorage<Log>();

type Method = 'error' | 'warn' | 'info' | 'log';

const METHODS: Method[] = ['error', 'warn', 'info', 'log'];
let isInstalled = false;

/** Only for calls made below `quietly`: everybody else's console stays as it is. */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const { console } = globalThis;
  for (const method of METHODS) {
    const original = console[method].bind(console);
    console[method] = (...words: unknown[]) => {
      const log = inLibrary.getStore();
      if (!log) return original(...words);
      const error = words.find(word => word instanceof Error);
      if (error) log.info({ err: error }, 'the library reported an error');
    };
  }
}

/**
 * lite 0.10 prints every database error in full on the console, with the parameters: people's rows and passwords.
 * What it prints while `work` runs goes to our log as the error's kind and code only.
 */
export function quietly<T>(log: Log, work: () => Promise<T>): Promise<T> {
  install();
  return inLibrary.run(log, work);
}
