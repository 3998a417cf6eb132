/** Where a thing to do opens. */
export const workPath = ({ kind, id }: { kind: 'inspection' | 'action'; id: string }): string =>
  kind === 'inspection' ? `/field/${id}` : `/action-items/${id}`;
