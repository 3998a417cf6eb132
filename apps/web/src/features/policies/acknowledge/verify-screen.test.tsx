// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { VerifiedCertificate } from '@cairn/core/policies/certificate-code.ts';
import words from '../../../shared/i18n/en/verify.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import { ServerRefusal } from '../../../shared/server/server-calls.ts';
import type { VisitorCalls } from './use-verified.ts';
import { VerifyScreen } from './verify-screen.tsx';

const CODE = '7Q2K41AB9XYZ0123456789MNPQRS';
const HASH = `${'ab'.repeat(31)}0f`;
const certificate: VerifiedCertificate = {
  organization: 'Northfield',
  title: 'Lockout',
  version: '1.0',
  content_hash: HASH,
  received_at: '2026-11-21T10:00:00Z',
  status: 'in_force',
  name: 'Sam Worker',
  account_name: 'Sam Reed',
};
let asked: unknown[];
let answer: () => Promise<unknown>;
let looked: string[];

beforeAll(async () => {
  await startI18n();
  addTexts('verify', words);
});
beforeEach(() => {
  [asked, looked] = [[], []];
  answer = async () => certificate;
});
afterEach(cleanup);

const calls: VisitorCalls = {
  call: (name, args) => {
    asked.push([name, args]);
    return answer() as never;
  },
};
const reach = () => Promise.resolve(calls);
const show = (code = CODE) => render(<VerifyScreen code={code} calls={reach} onCode={other => looked.push(other)} />);

test('shows the account that signed beside the name that was typed, each on one line and without hidden characters', async () => {
  answer = async () => ({ ...certificate, name: 'Clara\u202e \nChief\u200b Executive' });
  show();
  const facts = await screen.findByText(words.fact.account);
  expect(facts.nextElementSibling?.textContent).toBe('Sam Reed');
  expect(screen.getByText(words.fact.name).nextElementSibling?.textContent).toBe('Clara Chief Executive');
});

test('tells what stands on the certificate and that it counts', async () => {
  show('7q2k-41ab-9xyz-o123-4567-89mn-pqrs');
  expect(await screen.findByRole('heading', { level: 1, name: words.known })).toBeDefined();
  expect(asked).toEqual([['verify_certificate', { p_code: CODE }]]);
  for (const text of [
    'Northfield',
    'Lockout',
    '1.0',
    'Sam Worker',
    '2026-11-21 10:00:00 UTC',
    HASH,
    words.status.in_force,
  ])
    expect(screen.getByText(text)).toBeDefined();
});

test.each(['superseded', 'archived', 'void'] as const)('says when it is %s', async status => {
  answer = async () => ({ ...certificate, status, name: null });
  show();
  expect(await screen.findByText(words.status[status])).toBeDefined();
  expect(screen.getByText(words.statusText[status])).toBeDefined();
  expect(screen.queryByText(words.status.in_force)).toBeNull();
  expect(screen.getByText(words.nameGone)).toBeDefined();
});

test('a hash is compared as it was pasted', async () => {
  show();
  const field = await screen.findByLabelText(words.hash.label);
  await userEvent.type(field, 'abc');
  expect(screen.getByText(words.hash.notOne)).toBeDefined();
  await userEvent.clear(field);
  await userEvent.type(field, HASH.toUpperCase());
  expect(screen.getByText(words.hash.same)).toBeDefined();
  await userEvent.type(field, '{Backspace}0');
  expect(screen.getByText(words.hash.different)).toBeDefined();
  expect(screen.queryByText(words.hash.same)).toBeNull();
});

test('a code that is none is looked up nowhere; an unknown one says what to check, and another can be typed', async () => {
  show('not-a-code');
  expect(await screen.findByRole('heading', { level: 1, name: words.unknown })).toBeDefined();
  expect(asked).toEqual([]);
  cleanup();
  answer = async () => null;
  show();
  expect(await screen.findByText(words.unknownText)).toBeDefined();
  const field = screen.getByLabelText(words.code);
  await userEvent.type(field, '7Q2K{Enter}');
  expect(screen.getByText(words.notACode)).toBeDefined();
  expect(looked).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, `https://cairn.example/verify/${CODE}{Enter}`);
  expect(looked).toEqual([CODE]);
});

test('without a network it says so, and asks again when there is one', async () => {
  answer = () => Promise.reject(new Failure('offline', 'verify_certificate'));
  show();
  expect(await screen.findByRole('heading', { level: 1, name: words.offline })).toBeDefined();
  answer = async () => certificate;
  dispatchEvent(new Event('online'));
  expect(await screen.findByText('Sam Worker')).toBeDefined();
  // What is on the screen is not lost to a network that goes.
  answer = () => Promise.reject(new Failure('offline', 'verify_certificate'));
  dispatchEvent(new Event('online'));
  expect(screen.getByText('Sam Worker')).toBeDefined();
  expect(asked).toHaveLength(2);
});

test('who asked too often is told so, and may try again', async () => {
  answer = () => Promise.reject(new ServerRefusal('PT429', 'Too many requests'));
  show();
  expect(await screen.findByText(words.manyText)).toBeDefined();
  answer = async () => certificate;
  await userEvent.click(screen.getByRole('button', { name: words.again }));
  expect(await screen.findByText('Sam Worker')).toBeDefined();
});
