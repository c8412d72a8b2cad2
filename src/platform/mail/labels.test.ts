import { describe, expect, it } from 'vitest'
import { textOfHtml } from './labels.ts'

describe('the text of an email that only has HTML', () => {
  it('is the text between tags, with line ends', () =>
    expect(textOfHtml('<p>1 &lt; 2<br>&amp;lt;</p><b title="x">Ana</b>')).toBe('1 < 2\n&lt;\nAna'))

  it.each(['<', '<br', '<!--'])('reads a million of %s quickly, although the HTML is not sanitised', (piece) => {
    const html = piece.repeat(1_000_000 / piece.length)
    expect(textOfHtml(html)).toBe(html)
  })
})
