import { describe, expect, it } from 'vitest'
import { wordsOfHtml } from './labels.ts'

describe('issue 7: the words of a mail that has none but its HTML', () => {
  it('are those between the tags, with the ends of lines', () =>
    expect(wordsOfHtml('<p>1 &lt; 2<br>&amp;lt;</p><b title="x">Ana</b>')).toBe('1 < 2\n&lt;\nAna'))

  it.each(['<', '<br', '<!--'])('a million of %s are read at once, though the mail was not made harmless', (piece) => {
    const html = piece.repeat(1_000_000 / piece.length)
    expect(wordsOfHtml(html)).toBe(html)
  })
})
