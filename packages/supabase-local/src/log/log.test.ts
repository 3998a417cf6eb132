import { describe, expect, test } from 'vitest';
import { quietly } from './quiet-console.ts';
import { createLog, pathOf } from './log.ts';

function collect() {
  const lines: string[] = [];
  return { log: createLog('trace', { write: line => void lines.push(line) }), text: () => lines.join('') };
}

describe('the log', () => {
  test.each(['authorization', 'apikey', 'cookie', 'set-cookie'])('never holds the header %s', name => {
    const { log, text } = collect();
    log.warn({ headers: { [name]: 'sesame' }, request: { headers: { [name]: 'sesame' } } }, 'x');
    expect(text()).toContain('[redacted]');
    expect(text()).not.toContain('sesame');
  });

  test('of an error it keeps kind, code and place, not its words, detail or parameters', () => {
    const { log, text } = collect();
    const error = Object.assign(new Error('key (email)=(sesame) exists'), {
      code: '23505',
      detail: 'sesame',
      parameters: ['sesame'],
    });
    log.error({ err: error }, 'x');
    expect(text()).toContain('23505');
    expect(text()).toContain('log.test.ts');
    expect(text()).not.toContain('sesame');
  });

  test('of an address it is given the path only', () => {
    expect(pathOf('http://h/rest/v1/notes?words=eq.sesame&apikey=sesame')).toBe('/rest/v1/notes');
    for (const path of ['/calendar', '/functions/v1/calendar', '/report', '/guest', '/verify'])
      expect(pathOf(`http://h${path}/sesame.ics?x`)).toBe(`${path}/[redacted]`);
  });
});

describe('what the library prints', () => {
  test('reaches the log without its content, also after a pause', async () => {
    const { log, text } = collect();
    const printed: unknown[] = [];
    globalThis.console.error = (...words: unknown[]) => printed.push(words);
    await quietly(log, async () => {
      await new Promise(resolve => setImmediate(resolve));
      globalThis.console.error(Object.assign(new Error('sesame'), { code: '23514', parameters: ['sesame'] }));
      globalThis.console.error('Auth error:', { password: 'sesame' });
    });
    expect(text()).toContain('23514');
    expect(text()).not.toContain('sesame');
    expect(printed).toEqual([]);
    globalThis.console.error('our own');
    expect(printed).toEqual([['our own']]);
  });
});
