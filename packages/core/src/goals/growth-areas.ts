/** What a growth area is about. */
export const growthCategories = ['wellness', 'career', 'personal', 'finance', 'relationships', 'mindfulness'] as const;
export type GrowthCategory = (typeof growthCategories)[number];

export type GrowthArea = {
  /** The title in kebab-case; stored, so it never changes. */
  id: string;
  title: string;
  /** One sentence. */
  description: string;
  category: GrowthCategory;
};

/** The growth areas a personal playbook may begin with (specification, section 3). */
export const growthAreas = [
  {
    id: 'health-wellness-foundation',
    title: 'Health & Wellness Foundation',
    description: 'Sleep, movement and food in small steps that last.',
    category: 'wellness',
  },
  {
    id: 'career-growth-essentials',
    title: 'Career Growth Essentials',
    description: 'Know what you want from work, and ask for it well prepared.',
    category: 'career',
  },
  {
    id: 'personal-development-basics',
    title: 'Personal Development Basics',
    description: 'Pick one thing to get better at, and look back on it every week.',
    category: 'personal',
  },
  {
    id: 'financial-literacy',
    title: 'Financial Literacy',
    description: 'See where the money goes, and put some of it aside first.',
    category: 'finance',
  },
  {
    id: 'relationship-building',
    title: 'Relationship Building',
    description: 'Make time for the people who matter, and tell them so.',
    category: 'relationships',
  },
  {
    id: 'mindfulness-focus',
    title: 'Mindfulness & Focus',
    description: 'A few quiet minutes a day, and one thing at a time.',
    category: 'mindfulness',
  },
] as const satisfies readonly GrowthArea[];

export type GrowthAreaId = (typeof growthAreas)[number]['id'];

/** The area of an id that was read from somewhere; undefined for an unknown one. */
export const growthArea = (id: unknown) => growthAreas.find(area => area.id === id);
