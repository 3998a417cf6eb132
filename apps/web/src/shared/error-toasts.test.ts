import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Toasts of a bad tone that `reportError` does not write, and why not. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  'app/diagnostics/diagnostics-screen.tsx': '"Copy Failed"; the way around it is on the screen',
  'app/routes/auth-step.tsx': '"Login Failed" of a phone number; the refusals have texts of their own',
  'app/routes/auth.tsx': '"Login Failed"; R8.25 to R8.30 give the texts',
  'app/shell/leave/sign-out-button.tsx': 'R8.41 gives title and text',
  'app/space/use-my-spaces.ts': 'R8.42 gives title and text',
  'features/action-items/use-change-action.ts': 'the undo was done, and what of it was not is named',
  'features/auth/other-ways.tsx': '"Login Failed"; the refusals have texts of their own',
  'features/auth/step-form.tsx': '"<what was tried> Failed"; the refusals have texts of their own',
  'features/dashboard/use-tick-task.ts': 'nothing failed: the task asks for more first',
  'features/field-ops/answers/use-recovered-sounds.ts':
    'nobody asked for it; what was not read stays, and the next visit tries again',
  'features/spaces/review-queue.tsx': 'it was decided, and what could not be taken over is counted',
  'features/sync/outbox/refused-acts.tsx': 'it was saved, and what was no longer there is named',
  'features/sync/rescue/take-rescue.tsx': 'it was brought, and what did not come along is counted',
  'features/tasks/board-view.tsx': 'nothing failed: a task does not go there',
  'features/tasks/task-evidence.tsx': 'nothing failed: a file is too large, or no file',
  'features/tasks/use-task-changes.ts': 'what is missing before a task is done, and what of an undo was not',
  'shared/errors/report-error.ts': 'the way all others go (R8.01, R8.17)',
};

test('R8.01 an operation that ends in an error toast goes through "<operation> Failed", but for those listed, each with why', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: ROOT })
    .filter(name => !name.includes('.test.'))
    .filter(name => /\btoast\(\{[^;]*?\btone: 'bad'/s.test(readFileSync(ROOT + name, 'utf8')));
  expect(found.toSorted()).toEqual(Object.keys(OWN_TEXTS).toSorted());
});
