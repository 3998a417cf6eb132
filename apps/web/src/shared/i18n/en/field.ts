export const field = {
  title: 'Field Operations',
} as const;
