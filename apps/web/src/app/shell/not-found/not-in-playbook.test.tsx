// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Row } from '@cairn/schema';
import modules from '../../../shared/i18n/en/modules.json';
import shell from '../../../shared/i18n/en/shell.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { NotInPlaybook } from './not-in-playbook.tsx';

beforeAll(async () => {
  await startI18n();
  addTexts('shell', shell);
  addTexts('modules', modules);
});
afterEach(cleanup);

const playbook = (id: string, type: 'company' | 'personal') => ({ id, name: id, type }) as Row<'playbooks'>;
const organizations = [
  { playbooks: [playbook('Daily operations', 'company'), playbook('Night shift', 'company')] },
  { playbooks: [playbook('My own', 'personal')] },
];

test('a personal module in a company playbook is said to be elsewhere, and one act leads there', async () => {
  const opened: string[] = [];
  render(<NotInPlaybook id="goals" organizations={organizations} onOpen={id => opened.push(id)} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Personal Goals is not part of this playbook');
  expect(screen.getAllByRole('button')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Open My own' }));
  expect(opened).toEqual(['My own']);
});

test('a company module offers every company playbook, and says what to do where there is none', () => {
  const show = (mine: typeof organizations) => <NotInPlaybook id="lms" organizations={mine} onOpen={() => undefined} />;
  const { rerender } = render(show(organizations));
  expect(screen.getAllByRole('button').map(button => button.textContent)).toEqual([
    'Open Daily operations',
    'Open Night shift',
  ]);
  rerender(show(organizations.slice(1)));
  expect(screen.queryByRole('button')).toBeNull();
  expect(
    screen.getByText('It belongs to a company playbook, and you are not in one yet. An administrator can invite you.'),
  ).toBeDefined();
});
