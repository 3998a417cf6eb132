const PATHS = { inspection: '/field', action: '/action-items', task: '/tasks' } as const;

/** Where a thing to do opens. */
export const workPath = ({ kind, id }: { kind: keyof typeof PATHS; id: string }): string => `${PATHS[kind]}/${id}`;
