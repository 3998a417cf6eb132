import { expect, test } from 'vitest';
import { namelessWork } from './nameless-work.ts';

const entry = (dataType: string, dataId: string, data: Record<string, unknown> = {}, group?: string) => ({
  dataType,
  dataId,
  data,
  ...(group !== undefined && { group }),
});

test('a report without a name, what was saved with it and the files it names are one work; nothing else is', () => {
  const own = [
    entry('media', 'a'),
    entry('media', 'b', {}, 'together'),
    entry('issue_reports', 'r', { is_anonymous: true, media_ids: ['a', 'b'] }, 'together'),
    entry('issue_reports', 's', { is_anonymous: true }),
  ];
  const others = [
    entry('media', 'c'),
    entry('media', 'd', {}, 'other'),
    entry('issue_reports', 't', { is_anonymous: false, media_ids: ['c'] }, 'other'),
    entry('issue_reports', 'u', { media_ids: ['d'] }),
    entry('tasks', 'a', { is_anonymous: true }),
  ];
  expect(namelessWork([...others, ...own])).toEqual(own);
});
