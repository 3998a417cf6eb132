// @vitest-environment jsdom
import { useState } from 'react';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AnswerButtons } from './answer-buttons.tsx';
import { Button } from './button.tsx';
import { CheckCards, Switch } from './choice.tsx';
import { Sheet } from '../overlays/dialog.tsx';
import { Input } from './field.tsx';
import { QuestionProgress } from '../feedback/progress.tsx';

afterEach(cleanup);

describe('a field', () => {
  test('is named by its label and described by hint and error together', () => {
    render(<Input label="Due date" hint="A working day" error="November has 30 days." defaultValue="31 Nov" />);
    const input = screen.getByRole('textbox', { name: 'Due date' });
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const words = (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map(id => document.getElementById(id)?.textContent);
    expect(words).toEqual(['A working day', 'November has 30 days.']);
    expect(input).toHaveProperty('value', '31 Nov');
  });
});

describe('a busy button', () => {
  test('takes no second press and says what it does', async () => {
    let presses = 0;
    render(
      <Button busy busyText="Saving" onClick={() => (presses += 1)}>
        Save
      </Button>,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Saving' }));
    expect(presses).toBe(0);
  });
});

describe('the answer buttons', () => {
  const answers = [
    { value: 'pass', label: 'Pass', face: 'pass' },
    { value: 'fail', label: 'Fail', face: 'fail' },
    { value: 'na', label: 'N/A', face: 'na' },
  ] as const;

  function Question() {
    const [value, setValue] = useState<string | null>(null);
    return <AnswerButtons label="Does the brake hold?" answers={answers} value={value} onChange={setValue} />;
  }

  test('are one radio group named by the question, worked by tap and by arrow keys', async () => {
    render(<Question />);
    expect(screen.getByRole('group', { name: 'Does the brake hold?' })).toBeDefined();
    await userEvent.click(screen.getByText('Pass'));
    expect(screen.getByRole('radio', { name: 'Pass' })).toHaveProperty('checked', true);
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('radio', { name: 'Fail' })).toHaveProperty('checked', true);
  });
});

describe('cards of several answers', () => {
  test('hand back what is chosen in the order of the options, whatever the order of tapping', async () => {
    const heard: string[][] = [];
    render(
      <CheckCards
        label="Damage"
        options={['a', 'b', 'c'].map(value => ({ value, label: value.toUpperCase() }))}
        values={['c']}
        onChange={values => heard.push(values)}
      />,
    );
    await userEvent.click(screen.getByRole('checkbox', { name: 'A' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'C' }));
    expect(heard).toEqual([['a', 'c'], []]);
  });
});

test('a switch says its state', async () => {
  const heard: boolean[] = [];
  render(<Switch label="Keep offline" checked onChange={on => heard.push(on)} />);
  await userEvent.click(screen.getByRole('switch', { name: 'Keep offline', checked: true }));
  expect(heard).toEqual([false]);
});

test('a busy switch keeps the focus and takes no second press', async () => {
  const heard: boolean[] = [];
  const show = (busy: boolean) => <Switch label="Keep offline" checked busy={busy} onChange={on => heard.push(on)} />;
  const { rerender } = render(show(false));
  const control = screen.getByRole('switch', { name: 'Keep offline' });
  control.focus();
  rerender(show(true));
  await userEvent.click(control);
  await userEvent.keyboard(' ');
  expect(heard).toEqual([]);
  expect(document.activeElement).toBe(control);
  expect(control).toHaveProperty('disabled', false);
  expect(['aria-disabled', 'aria-busy'].map(name => control.getAttribute(name))).toEqual(['true', 'true']);
});

test('question progress counts what is answered and shows one segment each', () => {
  const { container } = render(
    <QuestionProgress marks={['answered', 'finding', 'not_applicable', 'open']} current={3} figure="4 of 4" />,
  );
  expect(screen.getByRole('progressbar', { name: '4 of 4' })).toHaveProperty('value', 3);
  expect(container.querySelectorAll('i')).toHaveLength(4);
});

describe('a sheet', () => {
  /** The platform's own watcher of the back gesture, which jsdom has not. */
  class Watcher extends EventTarget {
    static readonly open = new Set<Watcher>();
    constructor() {
      super();
      Watcher.open.add(this);
    }
    destroy() {
      Watcher.open.delete(this);
    }
  }

  function Opened() {
    const [open, setOpen] = useState(true);
    return (
      <Sheet open={open} onOpenChange={setOpen} title="Questions" closeLabel="Close">
        Twelve
      </Sheet>
    );
  }

  test('is closed by the phone’s back gesture, which is free again afterwards', async () => {
    vi.stubGlobal('CloseWatcher', Watcher);
    render(<Opened />);
    expect(screen.getByRole('dialog')).toBeTruthy();
    const [watcher] = Watcher.open;
    act(() => void watcher?.dispatchEvent(new Event('close')));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(Watcher.open.size).toBe(0);
    vi.unstubAllGlobals();
  });

  test('opens where a browser has no such watcher', () => {
    render(<Opened />);
    expect(screen.getByRole('dialog')).toBeTruthy();
  });
});
