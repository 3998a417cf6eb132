import { describe, expect, test } from 'vitest';
import { taskFileText } from './task-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a file brought as tasks', () => {
  test.each([
    ['an OSCAL catalogue', 'c.json', '{"catalog":{"uuid":"x"}}', 'isOscal'],
    ['OSCAL of another kind', 'c.json', '{"component-definition":{"uuid":"x"}}', 'isOscal'],
    ['a form of ours', 'f.json', '{"format":1,"items":[]}', 'isForm'],
    [
      'an XForm',
      'f.xml',
      '<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/2002/xforms"/>',
      'isForm',
    ],
    ['a policy', 'p.md', '# Access\n', 'isPolicy'],
    ['a PDF', 'p.pdf', '%PDF-1.7\n', 'isDocument'],
  ])('says what it is instead: %s', (_, name, text, problem) => {
    expect(taskFileText(bytes(text), name)).toEqual({ problem });
  });

  test('in other letters than UTF-8, or a workbook, is no text', () => {
    expect(taskFileText(Uint8Array.of(0x54, 0xfc, 0x72), 't.csv')).toEqual({ problem: 'notText' });
    expect(taskFileText(Uint8Array.of(0x50, 0x4b, 3, 4, 0xff), 't.xlsx')).toEqual({ problem: 'notText' });
  });

  test('is read where it is a table', () => {
    expect(taskFileText(bytes('Title;Due\nMend;2026-12-01\n'), 't.csv')).toEqual({
      text: 'Title;Due\nMend;2026-12-01\n',
    });
  });
});
