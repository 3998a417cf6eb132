import { describe, expect, test } from 'vitest';
import { CONTENT_BOUNDS } from '@cairn/base/content-bounds.ts';
import { sectionsOf } from '../policies/sections.ts';
import { documentDiff } from '../policies/word-diff.ts';
import { isSmallMarkdown, markdownFault, type MarkdownFault } from './markdown-bounds.ts';
import { lexMarkdown, markdownHtml } from './parse-markdown.ts';

const PAST: Record<MarkdownFault, string> = {
  markdown_characters: 'a '.repeat(CONTENT_BOUNDS.markdown_characters / 2 + 1),
  markdown_lines: 'a\n\n'.repeat(CONTENT_BOUNDS.markdown_lines / 2 + 1),
  markdown_indent: `a\n${' '.repeat(CONTENT_BOUNDS.markdown_indent + 1)}b`,
  markdown_nesting: `${'> '.repeat(CONTENT_BOUNDS.markdown_nesting + 1)}a`,
  markdown_run: '*'.repeat(CONTENT_BOUNDS.markdown_run + 1),
  markdown_cells: `| ${'a |'.repeat(200)}\n| ${'- |'.repeat(200)}\n${`| ${'a |'.repeat(200)}\n`.repeat(120)}`,
  markdown_work: 'a [b '.repeat(5000),
};

describe('a Markdown text past a bound', () => {
  test.each(Object.entries(PAST))('of %s is told by that name and never parsed', (fault, text) => {
    expect(markdownFault(text)).toBe(fault);
    expect(lexMarkdown(text)).toBeNull();
    expect(markdownHtml(text, 2)).toBeNull();
  });

  test('is one section with all its words, and is compared line by line', () => {
    const text = `# One\n\n# Two\n\n${PAST.markdown_nesting}`;
    expect(sectionsOf(text)).toEqual([{ id: 'section-1', title: '', body: text }]);
    expect(documentDiff(text, `${text}\nmore`)).toMatchObject({ added: 1, removed: 0 });
  });

  test('is found out in a time that grows with its length, whatever it is made of', () => {
    for (const char of ['-', '|', '*', '> ', '\n', ' ', '|-', '- a\n', '\t', '1. ']) {
      const begun = performance.now();
      markdownFault(char.repeat(CONTENT_BOUNDS.markdown_characters / char.length));
      expect(performance.now() - begun).toBeLessThan(5000);
    }
  });
});

test('a picture that is named once and shown a thousand times is not written out a thousand times', () => {
  const text = `${'![a][p]\n\n'.repeat(1000)}[p]: data:image/png;base64,${'A'.repeat(50_000)}`;
  expect(markdownFault(text)).toBeNull();
  expect(markdownHtml(text, 2)).toBeNull();
  expect(
    sectionsOf(`${'# a\n\n![a][p]\n\n'.repeat(100)}[p]: data:image/png;base64,${'A'.repeat(50_000)}`),
  ).toHaveLength(1);
});

test('what people write is within the bounds: a long policy with tables, lists and pictures', () => {
  const section = `## Duties\n\nEverybody **reads** this, *signs* it and [asks](https://example.test) where it is unclear.\n\n- one\n  - two\n    - three\n\n> A note\n\n| a | b | c |\n| --- | --- | --- |\n${'| 1 | **2** | `3` |\n'.repeat(20)}\n`;
  const text = `# Safety\n\n${section.repeat(100)}\n[picture-1]: data:image/jpeg;base64,${'A'.repeat(75_000)}\n`;
  expect(markdownFault(text)).toBeNull();
  expect(sectionsOf(text)).toHaveLength(101);
  expect(markdownHtml(section, 3)).toContain('<table>');
  expect([isSmallMarkdown(section), isSmallMarkdown(text)]).toEqual([true, false]);
});

test('two long versions that have nothing in common are told whole, without looking at every pair', () => {
  const version = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join('\n\n');
  const begun = performance.now();
  const diff = documentDiff(version('old'), version('new'));
  expect(diff).toMatchObject({ added: 6000, removed: 6000 });
  expect(performance.now() - begun).toBeLessThan(10_000);
});
