import type { ReactNode } from 'react';
import './coach-portrait.css';

type Drawing = {
  /** Which of the calm tones of the tokens it wears. */
  tone: 'accent' | 'info' | 'warn' | 'good' | 'bad' | 'plain';
  hair: ReactNode;
  face: ReactNode;
};

const SMILE = <path className="line" d="M41 50 q7 6 14 0" />;
const EYES = (
  <>
    <circle className="dot" cx="42" cy="41" r="2" />
    <circle className="dot" cx="54" cy="41" r="2" />
  </>
);

/** Six people in a few strokes: hair, eyes, mouth. Everything else they share. */
const DRAWINGS: Record<string, Drawing> = {
  'friendly-professional': {
    tone: 'accent',
    hair: <path className="hair" d="M30 40 q-2 -20 18 -20 q20 0 18 20 q-4 -10 -18 -11 q-13 0 -18 11" />,
    face: (
      <>
        {EYES}
        {SMILE}
      </>
    ),
  },
  'calm-mentor': {
    tone: 'good',
    hair: (
      <path
        className="hair"
        d="M29 56 q-4 -36 19 -36 q23 0 19 36 q-5 -4 -5 -18 q-14 -2 -22 -8 q-4 8 -7 9 q0 12 -4 17"
      />
    ),
    face: (
      <>
        <path className="line" d="M39 41 q3 3 6 0 M51 41 q3 3 6 0" />
        {SMILE}
      </>
    ),
  },
  'energetic-coach': {
    tone: 'warn',
    hair: <path className="hair" d="M31 37 l-2 -12 l8 4 l4 -10 l7 7 l8 -8 l3 10 l9 -2 l-3 11 q-17 -9 -34 0" />,
    face: (
      <>
        {EYES}
        <path className="fill" d="M40 48 h16 q-2 9 -8 9 q-6 0 -8 -9" />
      </>
    ),
  },
  'wise-guide': {
    tone: 'info',
    hair: (
      <>
        <circle className="hair" cx="48" cy="17" r="7" />
        <path className="hair" d="M30 42 q-1 -20 18 -20 q19 0 18 20 q-6 -12 -18 -12 q-12 0 -18 12" />
      </>
    ),
    face: (
      <>
        <circle className="line" cx="41" cy="41" r="5" />
        <circle className="line" cx="55" cy="41" r="5" />
        <path className="line" d="M46 41 h4 M43 52 q5 3 10 0" />
      </>
    ),
  },
  'playful-companion': {
    tone: 'bad',
    hair: (
      <>
        <circle className="hair" cx="34" cy="28" r="8" />
        <circle className="hair" cx="46" cy="22" r="9" />
        <circle className="hair" cx="59" cy="26" r="9" />
        <circle className="hair" cx="66" cy="35" r="5" />
      </>
    ),
    face: (
      <>
        <circle className="dot" cx="42" cy="41" r="2" />
        <path className="line" d="M51 41 h6" />
        <path className="line" d="M40 48 q8 10 16 0" />
      </>
    ),
  },
  'straight-talker': {
    tone: 'plain',
    hair: (
      <>
        <path className="hair" d="M31 36 q0 -15 17 -15 q17 0 17 15 h-4 v-5 h-26 v5 z" />
        <path className="hair" d="M34 49 q0 17 14 17 q14 0 14 -17 q-3 6 -8 6 h-12 q-5 0 -8 -6" />
      </>
    ),
    face: (
      <>
        {EYES}
        <path className="line" d="M38 36 h8 M50 36 h8 M43 52 h10" />
      </>
    ),
  },
};

/** The coach who speaks in check-ins and nudges, by the stored id; one nobody knows is the first. Purely decorative. */
export function CoachPortrait({ coach }: { coach: string }) {
  const { tone, hair, face } = DRAWINGS[coach] ??
    DRAWINGS['friendly-professional'] ?? { tone: 'plain', hair: null, face: null };
  return (
    <svg className={`coach-portrait ${tone}`} viewBox="0 0 96 96" aria-hidden="true">
      <circle className="ground" cx="48" cy="48" r="48" />
      <path className="body" d="M14 84 q6 -22 34 -22 q28 0 34 22 a48 48 0 0 1 -68 0" />
      <path className="skin" d="M42 56 h12 v10 q-6 5 -12 0 z" />
      <circle className="skin" cx="48" cy="43" r="17" />
      {hair}
      {face}
    </svg>
  );
}
