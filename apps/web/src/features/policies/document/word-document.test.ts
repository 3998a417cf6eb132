// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { markdownIn, sectionsIn } from './word-document.ts';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

test('a Word document is cut at its top headings, one level below the title of its policy', () => {
  const html =
    '<p>Whom it is for.</p><h1>Before</h1><p>Tie on.</p><h2>Rope</h2><p>Look at it.</p><h1>After</h1><p>Hang it up.</p>';
  expect(sectionsIn(html)).toEqual([
    { id: 'section-1', title: '', html: '<p>Whom it is for.</p>' },
    { id: 'section-2', title: 'Before', html: '<p>Tie on.</p><h3>Rope</h3><p>Look at it.</p>' },
    { id: 'section-3', title: 'After', html: '<p>Hang it up.</p>' },
  ]);
});

test('nothing of it runs, and reading it fetches nothing', () => {
  const hostile =
    '<h1>A<script>run()</script></h1><p onclick="run()"><a href="javascript:run()">a</a><a href="https://example.com">b</a>' +
    `<img src="https://evil.example/seen.png" alt="seen"><img src="data:image/svg+xml;base64,PHN2Zz4=" alt="drawn"><img src="${PIXEL}" alt="ok">` +
    '<svg onload="run()"></svg><iframe src="https://evil.example"></iframe><style>*{display:none}</style></p><p>1 &lt; 2 &lt;img onerror=run()&gt;</p>';
  const [section] = sectionsIn(hostile);
  const { body } = new DOMParser().parseFromString(section?.html ?? '', 'text/html');
  expect(body.querySelectorAll('script, svg, iframe, style, [onclick], [style]')).toHaveLength(0);
  expect(Array.from(body.querySelectorAll('a'), each => each.getAttribute('href'))).toEqual([
    null,
    'https://example.com',
  ]);
  expect(Array.from(body.querySelectorAll('img'), each => each.getAttribute('src'))).toEqual([PIXEL]);
  // What somebody wrote about tags stays what they wrote.
  expect(body.textContent).toContain('1 < 2 <img onerror=run()>');
});

test('its words are kept as Markdown: headings, lists in lists and tables', () => {
  const html =
    '<h1>Before</h1><p>Tie  on.</p><ul><li>Rope<ul><li>Long</li></ul></li><li>Hook</li></ul><table><tr><td>What</td><td>Who</td></tr></table>';
  expect(markdownIn(html)).toBe('## Before\n\nTie on.\n\n- Rope\n  - Long\n- Hook\n\n| What | Who |');
});
