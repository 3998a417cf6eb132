export const actions = {
  title: 'Action Items',
} as const;
