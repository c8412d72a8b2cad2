import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlFromText } from '../messages/email-templates/rules.ts'
import { linksIn, trackedLinks, withLinks, withRedirects } from './click-rules.ts'

describe('the links of an email', () => {
  const at = (link: number) => `https://clinic.example/c/token/${link}`

  it('are sent through the redirect where they open the web, and nothing else changes (issue 28)', () => {
    const html = `<p>See <a class="x" href="https://clinic.example/a?b=1&amp;c=2">this</a>, <A HREF='https://other.example/'>that</A>,
      <a href="mailto:team@clinic.example">us</a>, <a href="{{appointment_link}}">yours</a> and https://bare.example</p>`
    expect(linksIn(html)).toEqual([
      'https://clinic.example/a?b=1&c=2',
      'https://other.example/',
      'mailto:team@clinic.example',
      '{{appointment_link}}',
    ])
    const links = trackedLinks(html)
    expect(links).toEqual(['https://clinic.example/a?b=1&c=2', 'https://other.example/'])
    expect(withRedirects(html, links, at)).toBe(
      html
        .replace('"https://clinic.example/a?b=1&amp;c=2"', '"https://clinic.example/c/token/0"')
        .replace("'https://other.example/'", '"https://clinic.example/c/token/1"'),
    )
  })

  it('never carry a value of a patient: one with a variable is left as it is (issue 28)', () => {
    const html = '<a href="https://clinic.example/?who={{email}}">Open</a>'
    expect(trackedLinks(html)).toEqual([])
    expect(withRedirects(html, [], at)).toBe(html)
  })

  it('are each replaced once, whatever their addresses contain (issue 28)', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.webUrl({ withQueryParameters: true }), { minLength: 1, maxLength: 5 }), (urls) => {
        const escaped = (url: string) => url.replaceAll('&', '&amp;').replaceAll("'", '&#39;')
        const html = urls.map((url) => `<a href="${escaped(url)}">Open</a>`).join(' ')
        expect(trackedLinks(html)).toEqual(urls)
        expect(linksIn(withRedirects(html, urls, at))).toEqual(urls.map((_url, link) => at(link)))
      }),
    )
  })

  it('are made of bare addresses in text, without the punctuation after them (issue 28)', () => {
    expect(withLinks('<p>Book at https://clinic.example/book?a=1&amp;b=2. Thank you (https://x.example/).</p>')).toBe(
      '<p>Book at <a href="https://clinic.example/book?a=1&amp;b=2">https://clinic.example/book?a=1&amp;b=2</a>. Thank you (<a href="https://x.example/">https://x.example/</a>).</p>',
    )
  })

  it.each([
    ['"https://x.example/a"', 'https://x.example/a'],
    ['<https://x.example/b>', 'https://x.example/b'],
    ["'https://x.example/c'", 'https://x.example/c'],
    ['“https://x.example/d”', 'https://x.example/d'],
    ['https://x.example/e?a=1&b=2', 'https://x.example/e?a=1&b=2'],
    ['https://x.example/f?a=1&', 'https://x.example/f?a=1&'],
  ])('end where the address ends in the text %s (issue 28)', (text, url) => {
    expect(linksIn(withLinks(htmlFromText(`Open ${text}, please.`)))).toEqual([url])
  })

  it.each([
    '<p>Find us: <img src="https://x.example/map.png" alt="Map"></p>',
    '<p style="background: url(https://x.example/a.png)">See https://x.example/b</p>',
    '<p>Here</p><!-- https://x.example/ -->',
    '<p>See https://x.example/a and <a href="https://x.example/b">this</a></p>',
  ])('are not made in HTML that was not made of text: %s (issue 28)', (html) => {
    expect(withLinks(html)).toBe(html)
  })

  it.each(['<a href="', '<a ', 'https://', '<a href="https://x.example/'])(
    'are found in 200,000 characters of %s without a test that runs out of time (issue 28)',
    (piece) => {
      const html = piece.repeat(Math.ceil(200_000 / piece.length))
      expect(withRedirects(html, trackedLinks(html), at)).toBe(html)
      expect(linksIn(withLinks(html)).length).toBeLessThan(2)
    },
  )
})
