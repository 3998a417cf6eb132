import { AsyncLocalStorage } from 'node:async_hooks';
import type { Release } from '../limits/slot.ts';

type Turn = { free: Release | null; outside: number; isOver: boolean; take: () => Promise<Release> };

const turns = new AsyncLocalStorage<Turn>();

function give(turn: Turn): void {
  turn.free?.();
  turn.free = null;
}

/** Waits for somebody else, such as a mail server or a sign-in service, without a place before the database. */
export async function outsideTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = turns.getStore();
  if (!turn || turn.isOver) return work();
  turn.outside += 1;
  give(turn);
  try {
    return await work();
  } finally {
    turn.outside -= 1;
    // What goes on behind the answer has none any more.
    if (turn.outside === 0 && !turn.isOver) await retake(turn);
  }
}

async function retake(turn: Turn): Promise<void> {
  const free = await turn.take();
  if (turn.isOver || turn.free || turn.outside > 0) free();
  else turn.free = free;
}

/** Runs a request that has a turn, which ends with it. @param take for a turn again after one waited outside */
export async function runInTurn<T>(free: Release, take: () => Promise<Release>, work: () => Promise<T>): Promise<T> {
  const turn: Turn = { free, outside: 0, isOver: false, take };
  try {
    return await turns.run(turn, work);
  } finally {
    turn.isOver = true;
    give(turn);
  }
}
