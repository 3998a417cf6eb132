// @vitest-environment jsdom
import { useState } from 'react';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { Button } from '../controls/button.tsx';
import { Confirm } from './confirm.tsx';

afterEach(cleanup);

function Asking() {
  const [open, setOpen] = useState(false);
  const [gone, setGone] = useState(false);
  if (gone) return <p>Gone</p>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Discard</Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Discard it?"
        confirmLabel="Discard it"
        cancelLabel="Keep it"
        onConfirm={() => setGone(true)}
        danger
      >
        It is gone then.
      </Confirm>
    </>
  );
}

test('whoever says no goes on where they were: the focus is on the button that asked', async () => {
  const person = userEvent.setup();
  render(<Asking />);
  const discard = screen.getByRole('button', { name: 'Discard' });
  await person.click(discard);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep it' }));
  await person.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(discard));
  await person.keyboard('{Enter}');
  await person.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(discard));
});

test('what was asked about may be gone with the answer', async () => {
  const person = userEvent.setup();
  render(<Asking />);
  await person.click(screen.getByRole('button', { name: 'Discard' }));
  await person.click(screen.getByRole('button', { name: 'Discard it' }));
  expect(await screen.findByText('Gone')).toBeTruthy();
});
