import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectUndisturbed, serveApart, whileAttacked, type SeparateServer } from './bystander.ts';

let server: SeparateServer;

beforeAll(async () => {
  server = await serveApart();
});

afterAll(() => server.stop());

const elapsed = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms));

test('a bystander of a server that nobody attacks is answered, and its memory stays', async () => {
  const seen = await whileAttacked(server, () => elapsed(1000));
  expect(seen.answers).toBeGreaterThanOrEqual(5);
  expectUndisturbed(seen);
});

test('a server that stands still for twelve seconds is seen to', async () => {
  const seen = await whileAttacked(server, async () => {
    process.kill(server.pid, 'SIGSTOP');
    await elapsed(12_000);
    process.kill(server.pid, 'SIGCONT');
  });
  expect(seen.maxMs).toBeGreaterThan(11_000);
  expect(() => expectUndisturbed(seen)).toThrow(/to be less than/);
});

test('a request that is refused counts as a disturbance', async () => {
  const stranger = { ...server, bystander: { ...server.bystander, token: 'no token' } };
  const seen = await whileAttacked(stranger, () => elapsed(500));
  expect(seen.failed).toContain(401);
  expect(() => expectUndisturbed(seen)).toThrow(/to deeply equal/);
});
