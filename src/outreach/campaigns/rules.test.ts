import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linkProblem, linksIn, spamSigns, trackedLinks, winnerOf, withLinks, withRedirects } from './rules.ts'

describe('the links of a campaign', () => {
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
    ['https://clinic.example/book', null],
    ['mailto:team@clinic.example', null],
    ['http://clinic.example', 'Not encrypted: use https'],
    ['https://localhost/x', 'Patients cannot open this address'],
    ['https://10.0.0.5/x', 'Patients cannot open this address'],
    ['javascript:alert(1)', 'This is not an address of the web'],
    ['/book', 'This is not an address of the web'],
  ])('are checked: %s gives %s (issue 28)', (url, problem) => {
    expect(linkProblem(url)).toBe(problem)
  })

  it.each(['<a href="', '<a ', 'https://', '<a href="https://x.example/'])(
    'are read quickly in a million characters of %s (issue 28)',
    (piece) => {
      const html = piece.repeat(Math.ceil(200_000 / piece.length))
      const start = performance.now()
      withRedirects(html, trackedLinks(html), at)
      withLinks(html)
      expect(performance.now() - start).toBeLessThan(2_000)
    },
  )
})

describe('signs of spam', () => {
  it.each([
    ['A spring offer', 'Come and see us.', []],
    ['Act now', 'It is guaranteed.', ['Act now', 'guaranteed']],
    ['Offre limitée', 'Essai gratuit', ['Offre limitée', 'gratuit']],
    ['BOOK YOUR VISIT', 'Hello', ['BOOK YOUR VISIT']],
    ['Come! Now!', 'Hello', ['Come! Now!']],
  ])('in %s, %s are %j (issue 28)', (subject, text, found) => {
    expect(spamSigns(subject, text).map((sign) => sign.found)).toEqual(found)
  })
})

it.each([
  [{ a: { sent: 10, acted: 3 }, b: { sent: 10, acted: 4 } }, 'b'],
  [{ a: { sent: 10, acted: 4 }, b: { sent: 20, acted: 7 } }, 'a'],
  [{ a: { sent: 10, acted: 4 }, b: { sent: 10, acted: 4 } }, 'a'],
  [{ a: { sent: 0, acted: 0 }, b: { sent: 1, acted: 1 } }, 'b'],
] as const)('the winner of %j is %s (issue 28)', (results, winner) => {
  expect(winnerOf(results)).toBe(winner)
})
