// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdownHtml } from '@cairn/core/markdown/parse-markdown.ts';
import { lineMarked, wrapped } from '../authoring/markdown-edits.ts';
import { safeDocument } from './safe-markdown.ts';

function shown(markdown: string): HTMLElement {
  const frame = document.createElement('div');
  frame.innerHTML = safeDocument(markdownHtml(markdown, 2) ?? '');
  return frame;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';

/** Everything that could run, style, fetch or embed. */
function dangers(frame: HTMLElement): string[] {
  return [...frame.querySelectorAll('*')].flatMap(node => {
    const found =
      /^(SCRIPT|STYLE|SVG|MATH|IFRAME|OBJECT|EMBED|FORM|INPUT|BUTTON|LINK|META|BASE|VIDEO|AUDIO|TEMPLATE)$/i.test(
        node.tagName,
      )
        ? [node.tagName]
        : [];
    const attributes = [...node.attributes].filter(
      ({ name, value }) =>
        /^(on|style|srcset|formaction|xlink|id|class|data-)/i.test(name) ||
        (/^(href|src)$/i.test(name) && /^\s*(javascript|vbscript|data:(?!image\/(png|jpeg|gif|webp)))/i.test(value)) ||
        (name === 'src' && !value.startsWith('data:image/')),
    );
    return [...found, ...attributes.map(({ name }) => `${node.tagName} ${name}`)];
  });
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><img src onerror=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="java&#115;cript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![tracked](https://example.test/pixel.png)',
  '<style>body{display:none}</style><p style="position:fixed">x</p>',
  '<form action="https://example.test"><input name=a><button>go</button></form>',
  '<p id="root" class="card" data-x="1">x</p>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<base href="https://example.test/"><meta http-equiv="refresh" content="0;url=//x">',
  '"><template><script>alert(1)</script></template>',
];

describe('a text that means harm', () => {
  test.each(HOSTILE)('%s leaves nothing that runs, fetches, styles or embeds', markdown => {
    expect(dangers(shown(markdown))).toEqual([]);
  });

  test('nor do these put together in any way', () => {
    const part = fc.constantFrom(
      ...HOSTILE,
      '<',
      '>',
      '"',
      '`',
      '\n',
      '**',
      '</p>',
      '<!--',
      '-->',
      '| a |\n|-|\n',
      '<a href="',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), pieces => {
        expect(dangers(shown(pieces.join('')))).toEqual([]);
      }),
    );
  });

  test.each([
    '/\\evil.example/x',
    '/&#9;/evil.example',
    '&#10;/&#13;/evil.example',
    ' //evil.example',
    '\\\\evil.example',
  ])('a link to %s, which a browser takes for another site, is none', address => {
    const link = shown(`<a href="${address}">x</a>`).querySelector('a');
    expect([link?.textContent, link?.getAttribute('href')]).toEqual(['x', null]);
  });

  test('a link within the app stays one', () => {
    expect(shown('[x](/policies/a?b=c#d)').querySelector('a')?.getAttribute('href')).toBe('/policies/a?b=c#d');
  });

  test('a picture from elsewhere is its words, one in the text is shown; a link opens apart and tells nobody', () => {
    expect(shown('![A ladder](https://example.test/l.png)').textContent?.trim()).toBe('A ladder');
    expect(shown(`![A ladder](data:image/png;base64,${PIXEL})`).querySelector('img')?.alt).toBe('A ladder');
    const link = shown('[law](https://example.test)').querySelector('a');
    expect([link?.target, link?.rel]).toEqual(['_blank', 'noopener noreferrer nofollow']);
  });
});

test('what people write stays: tables, lists, headings below the one they stand under', () => {
  const frame = shown(
    '# One\n\n### Three\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n3. c\n4. d\n\n> note\n\n**b** *i* ~~s~~',
  );
  expect([...frame.querySelectorAll('h2,h4')].map(node => node.textContent)).toEqual(['One', 'Three']);
  expect(frame.querySelectorAll('td')).toHaveLength(2);
  expect(frame.querySelector('ol')?.getAttribute('start')).toBe('3');
  expect(frame.querySelector('blockquote, strong, em, del')).not.toBeNull();
});

test('marks are put around what is selected and taken away again', () => {
  const bold = wrapped({ text: 'One lock', from: 4, to: 8 }, '**', '**');
  expect(bold).toEqual({ text: 'One **lock**', from: 6, to: 10 });
  expect(wrapped(bold, '**', '**')).toEqual({ text: 'One lock', from: 4, to: 8 });
  const list = lineMarked({ text: 'a\nb\nc', from: 0, to: 3 }, '- ');
  expect(list.text).toBe('- a\n- b\nc');
  expect(lineMarked(list, '- ').text).toBe('a\nb\nc');
});
