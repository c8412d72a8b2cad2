import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml } from './rules.ts'
import { isFormatted, picturesIn, textOfWritten } from './written-rules.ts'

describe('the text part of a written email (issue 28)', () => {
  it.each([
    ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['<p>One<br />Two</p>', 'One\nTwo'],
    ['<p>One<br></p><p><br></p><p>Two</p>', 'One\n\n\n\nTwo'],
    ['<p>One</p>\n<p>a &lt; b &amp;amp; <strong>c</strong></p>', 'One\n\na < b &amp; c'],
    ['<ul><li><p>One</p></li><li><p>Two</p></li></ul><p>End</p>', '- One\n- Two\n\nEnd'],
    [
      '<p>List:</p><ol><li><p>One</p><p>More</p></li><li><p>Two</p><ul><li><p>In</p></li></ul></li></ol>',
      'List:\n\n1. One\n   More\n2. Two\n   - In',
    ],
    ['<p>Hi</p><blockquote><p>One</p><p>Two</p></blockquote><p>End</p>', 'Hi\n\n> One\n>\n> Two\n\nEnd'],
    ['<p><a href="https://a.example/x?a=1&amp;b">here</a></p>', 'here (https://a.example/x?a=1&b)'],
    ['<p><a href="https://a.example/">a.example</a> <a href="mailto:a@b.example">a@b.example</a></p>', 'a.example a@b.example'],
    ['<p><img src="cid:x" alt="A &quot;map&quot;"><img src="cid:y"></p>', '[A "map"][image]'],
    ['<div>One</div><div>Two</div>', 'One\n\nTwo'],
    ['bare words', 'bare words'],
    ['<p> </p>', ''],
    ['', ''],
  ])('of %j is %j', (html, text) => expect(textOfWritten(html)).toBe(text))

  it('has every word of the paragraphs, in their order', () => {
    const words = fc
      .string({ minLength: 1, unit: 'grapheme-ascii' })
      .map((text) => text.replace(/\s+/g, ' ').trim())
      .filter(Boolean)
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), (paragraphs) => {
        const html = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('')
        expect(textOfWritten(html)).toBe(paragraphs.join('\n\n'))
      }),
    )
  })
})

it('says what is formatted, and which pictures it shows', () => {
  expect(['<p>One<br />two</p>', 'One', ''].map(isFormatted)).toEqual([false, false, false])
  expect(['<p><em>One</em></p>', '<ul><li><p>One</p></li></ul>', '<p><img src="cid:x"></p>'].map(isFormatted)).toEqual([true, true, true])
  expect(
    picturesIn('<p><img src="cid:a-1" alt=""><img alt="x" src="cid:b" /><img src="cid:a-1"><img src="https://c.example"></p>'),
  ).toEqual(['a-1', 'b'])
})
