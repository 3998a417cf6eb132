import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrowHead, drawingFrom, isVisible, spotAt } from './photo-marks.ts';

const anyPoint = fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 4000 }));
const away = ([ax, ay]: readonly number[], [bx, by]: readonly number[]) =>
  Math.hypot((ax ?? 0) - (bx ?? 0), (ay ?? 0) - (by ?? 0));

describe('marks on a photo', () => {
  test('a hand that leaves the picture draws along its edge', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (x, y) => {
        for (const each of spotAt(x, y)) expect(each).toBeGreaterThanOrEqual(0);
        for (const each of spotAt(x, y)) expect(each).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('the head of an arrow is even on both sides, at its tip, and never longer than half the shaft', () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, fc.integer({ min: 1, max: 500 }), (from, to, length) => {
        const [left, right] = arrowHead(from, to, length);
        const side = Math.min(length, away(from, to) / 2);
        expect(away(left, to)).toBeCloseTo(side, 6);
        expect(away(right, to)).toBeCloseTo(side, 6);
        expect(away(left, from)).toBeCloseTo(away(right, from), 6);
        expect(away(left, from)).toBeLessThanOrEqual(away(from, to) + 1e-6);
      }),
    );
  });

  test('an arrow or a circle of no size is a slip; a dot of the pen is a mark', () => {
    expect(isVisible({ kind: 'arrow', ink: 'red', from: [0.5, 0.5], to: [0.505, 0.5] })).toBe(false);
    expect(isVisible({ kind: 'circle', ink: 'red', from: [0.5, 0.5], to: [0.6, 0.5] })).toBe(true);
    expect(isVisible({ kind: 'pen', ink: 'red', spots: [[0.5, 0.5]] })).toBe(true);
    expect(isVisible({ kind: 'text', ink: 'red', at: [0, 0], text: ' ' })).toBe(false);
  });

  test('a kept drawing is read as it was; what is none is no drawing', () => {
    const kept = {
      copyId: '0f0e0d0c-0b0a-4908-8706-050403020100',
      marks: [{ kind: 'text', ink: 'black', at: [0, 1], text: 'Crack' }],
    };
    expect(drawingFrom(structuredClone(kept))).toEqual(kept);
    expect(drawingFrom({ ...kept, marks: [{ kind: 'spray' }] })).toBeNull();
    expect(drawingFrom(undefined)).toBeNull();
  });
});
