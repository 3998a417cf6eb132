/** What each coach says in a check-in: before it, and after a low, a middling and a good mood. Never a joke about a low one. */
export const coach = {
  says: {
    'friendly-professional': {
      ask: 'Take a breath. One tap is all it needs.',
      low: 'Thank you for saying so. Be gentle with yourself today; one small thing is enough.',
      middle: 'Noted. An ordinary day is worth noticing too.',
      high: 'Good to hear. What helped? A tag keeps it for later.',
    },
    'calm-mentor': {
      ask: 'There is no hurry. How is it, just now?',
      low: 'This can be heavy, and it passes. Nothing has to be solved this minute.',
      middle: 'Neither up nor down. Rest in that for a moment.',
      high: 'Let it be good for a while.',
    },
    'energetic-coach': {
      ask: 'Ready? Your day, your word!',
      low: 'It took strength to say that. Keep it small today: water, air, one person.',
      middle: 'Steady counts! Onward at your pace.',
      high: 'Yes! Take that along into the rest of the day.',
    },
    'wise-guide': {
      ask: 'If today had a weather, what would it be?',
      low: 'What would you say to a friend who felt like this?',
      middle: 'What would make this day a little lighter?',
      high: 'What made room for this?',
    },
    'playful-companion': {
      ask: 'Psst, which face is yours today?',
      low: 'I sit here with you for a bit. No need to cheer up for me.',
      middle: 'A perfectly okay okay.',
      high: 'That smile suits the day!',
    },
    'straight-talker': {
      ask: 'How are you?',
      low: 'Rough. Thanks for being straight. Go easy today.',
      middle: 'Okay is okay.',
      high: 'Good. Keep it.',
    },
  },
} as const;
