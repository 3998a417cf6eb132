// @vitest-environment jsdom
import { beforeAll, expect, test } from 'vitest';
import { ToastEvent, toasts } from '@cairn/ui/feedback/toast.ts';
import { startI18n } from '../shared/i18n/start-i18n.ts';
import { recentErrors } from '../shared/errors/recent-errors.ts';

// Its texts can be added once the languages have started, as in the app.
let background: typeof import('./background.ts');
beforeAll(async () => {
  await startI18n();
  background = await import('./background.ts');
});

test('R8.17 errors and rejections nobody caught are told; a ResizeObserver notice is not, a caught one is only kept', async () => {
  const titles: string[] = [];
  // Other files of this process may have kept some.
  const before = recentErrors()[0]?.id ?? 0;
  toasts.addEventListener('toast', event => event instanceof ToastEvent && titles.push(event.message.title));
  background.hear(new ErrorEvent('error', { message: 'ResizeObserver loop limit exceeded' }));
  background.keepCaught(new Error('in a screen'));
  background.hear(new ErrorEvent('error', { message: 'x', error: new Error('in a handler') }));
  background.hear(Object.assign(new Event('unhandledrejection'), { reason: new Error('in a promise') }));
  await expect.poll(() => titles).toEqual(['Error Occurred', 'Error Occurred']);
  const since = recentErrors().filter(({ id }) => id > before);
  expect(since.map(({ detail }) => detail)).toEqual([
    'Error: in a promise',
    'Error: in a handler',
    'Error: in a screen',
  ]);
});
