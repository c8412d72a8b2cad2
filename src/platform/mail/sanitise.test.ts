import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostileEmails, outsideHost } from '../../../test/messages/hostile-emails.ts'
import { documentFor } from './frame-rules.ts'
import { sanitiseMail, sanitiseWritten } from './sanitise.ts'

const html = (mail: string) => sanitiseMail(mail).html

const tags = new Set(
  `a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del div dl dt em font footer h1 h2 h3 h4 h5 h6
   header hr i img ins kbd li main mark nav ol p pre q s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul
   var wbr`.split(/\s+/),
)
const attributes = new Set(
  `align alt bgcolor border cellpadding cellspacing clear color colspan data-remote-src dir face height href lang nowrap rel role rowspan scope size
   span src start style target title type valign width`.split(/\s+/),
)

/**
 * Problems in an output. Markup this plain is read alike by every parser: each `<` starts a tag whose name and attributes are allowed,
 * each value is quoted, and no element has content with its own parsing rules (scripts, styles, SVG, and so on).
 */
function dangersOf(output: string): string[] {
  const dangers: string[] = []
  const text = output.replace(
    /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"<>]*")?)*)( \/)?>/g,
    (_, slash: string, name: string, written: string) => {
      if (!tags.has(name)) dangers.push(`<${name}>`)
      if (slash && written) dangers.push(`</${name}${written}>`)
      for (const [whole, attribute, value = ''] of written.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
        if (!attributes.has(attribute!)) dangers.push(whole)
        if (
          attribute === 'style' &&
          /[\\@/*{}<]|url|expression|position|fixed|absolute|import|behavio|binding|z-index|opacity|\(.*\(/i.test(value)
        ) {
          dangers.push(whole)
        }
        if (attribute === 'href' && !/^(?:https?:\/\/|mailto:|tel:)[^\s\\]*$/.test(value)) dangers.push(whole)
        if (attribute === 'href' && !written.includes(' target="_blank" rel="noopener noreferrer nofollow"')) dangers.push(whole)
        if (attribute === 'src' && !/^(?:cid:[^\s\\]+|data:image\/(?:png|jpeg|gif|webp);base64,[a-z\d+/=]+)$/i.test(value))
          dangers.push(whole)
        if (attribute === 'data-remote-src' && (name !== 'img' || !value.startsWith('https://'))) dangers.push(whole)
      }
      return ''
    },
  )
  if (/[<>]/.test(text)) dangers.push(`stray ${/.{0,20}[<>].{0,20}/s.exec(text)?.[0]}`)
  if (!output.isWellFormed() || output.includes('\0')) dangers.push('cannot be stored')
  return dangers
}

describe('sanitising email HTML', () => {
  it('has at least 200 hostile messages with unique names', () => {
    expect(hostileEmails.length).toBeGreaterThanOrEqual(200)
    expect(new Set(hostileEmails.map(({ name }) => name)).size).toBe(hostileEmails.length)
  })

  it.each(hostileEmails.map((mail) => [mail.name, mail] as const))('%s', (_, mail) => {
    const { html } = sanitiseMail(mail.html)
    expect(dangersOf(html)).toEqual([])
    // Links may point there; nothing may load from there.
    const loading = html.replace(/ (?:href|data-remote-src)="[^"]*"/g, '').replace(/(^|>)[^<]*/g, '$1')
    expect(loading).not.toContain(outsideHost)
    // A second pass changes nothing: the stored HTML is unambiguous.
    expect(sanitiseMail(html).html.length).toBeLessThanOrEqual(html.length)
  })

  it('outputs nothing dangerous for any input', () => {
    const signs = [' ', '\0', '\ud800', '<p ', ' onerror=', ' style=']
    const words =
      `< </ > /> " ' = <!-- --> --!> <![CDATA[ ]]> &lt; &#60; x javascript: script style svg math mtext mglyph noscript template title
      textarea xmp iframe select form img <a href= <img src= table td plaintext url(x) data:image/png;base64,AA cid:x b i`.split(/\s+/)
    const pieces = fc.constantFrom(...signs, ...words)
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        expect(dangersOf(html(parts.join('')))).toEqual([])
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('keeps the appearance of an ordinary email', () => {
  it.each([
    ['tables', '<table border="0" width="600" cellpadding="4"><tbody><tr><td colspan="2" valign="top">x</td></tr></tbody></table>'],
    ['fonts', '<font color="#ff0000" face="Arial, sans-serif" size="2">x</font>'],
    ['lists', '<ol start="3" type="a"><li>x</li></ol>'],
    ['quotes', '<blockquote><p>x</p></blockquote>'],
    ['pictures of its own', '<img alt="Logo" width="20" src="cid:logo@clinic" />'],
    ['pictures within it', '<img src="data:image/png;base64,iVBORw0KGgo=" />'],
    ['signs as text', 'a &lt; b &amp;&amp; c &gt; d'],
  ])('%s', (_, mail) => {
    const attributesOf = (text: string) => text.match(/[\w-]+="[^"]*"/g)?.toSorted()
    expect(html(mail).replace(/ [\w-]+="[^"]*"/g, '')).toBe(mail.replace(/ [\w-]+="[^"]*"/g, ''))
    expect(attributesOf(html(mail))).toEqual(attributesOf(mail))
  })

  it('turns the body into a block with its colours and drops its siblings', () => {
    const mail = '<html><head><title>T</title><style>p{color:red}</style></head><body bgcolor="#eee" style="color:#111"><p>Hi</body></html>'
    expect(html(mail)).toBe('<div bgcolor="#eee" style="color:#111"><p>Hi</p></div>')
  })

  it('closes unclosed tags, and drops broken ones or keeps them as text', () => {
    expect(html('<b>bold <i>both')).toBe('<b>bold <i>both</i></b>')
    expect(html('1 < 2, <p>x</b></p>')).toBe('1 &lt; 2, <p>x</p>')
  })
})

describe('inline styles', () => {
  it.each([
    ['color: RED !important; font-size:12.5pt', 'color:red;font-size:12.5pt'],
    [`font-family: "Segoe UI", Arial, sans-serif; margin: 0 auto`, `font-family:&quot;Segoe UI&quot;, Arial, sans-serif;margin:0 auto`],
    ['border:1px solid #ccc; padding: 4px 8px;width:100%', 'border:1px solid #ccc;padding:4px 8px;width:100%'],
    ['background-color:rgba(0, 0, 0, .5);display:none', 'background-color:rgba(0, 0, 0, .5);display:none'],
  ])('keeps %s', (style, kept) => expect(html(`<p style='${style}'>x</p>`)).toBe(`<p style="${kept}">x</p>`))

  it.each([
    'position:fixed',
    'position: absolute',
    'background:url(https://x.example)',
    'background: red url(data:x)',
    'background-image:none',
    'width:expression(alert(1))',
    'width:calc(1px + 1px)',
    'color:var(--x)',
    '--x:red',
    'c\\6flor:red',
    'color:r\\65d',
    'color:/**/red',
    'behavior:url(x)',
    '-moz-binding:url(x)',
    'z-index:9',
    'opacity:0',
    'transform:scale(99)',
    'margin:-900px',
    'font-size:9999px',
    'width:99999px',
    "font-family:'a;color:red",
    'color:red}body{display:none',
    'filter:x',
    'content:"x"',
    'cursor:none',
  ])('drops %s', (style) => expect(html(`<p style="${style.replaceAll('"', '&quot;')}">x</p>`)).toMatch(/^<p( style="color:red")?>x<\/p>$/))
})

describe('links', () => {
  const opened = (href: string) => `<a href="${href}" target="_blank" rel="noopener noreferrer nofollow">x</a>`
  it.each([
    ['https://clinic.example/a?b=1&c=2', opened('https://clinic.example/a?b=1&amp;c=2')],
    ['//clinic.example/a', opened('https://clinic.example/a')],
    [' ht\ntps://clinic.example', opened('https://clinic.example/')],
    ['https://refyne.example@outside.invalid/', opened('https://outside.invalid/')],
    ['mailto:ana@example.com?subject=Hi', opened('mailto:ana@example.com?subject=Hi')],
    ['mailto:ana@example.com?subject=Hi%0D%0ABcc:x@y.z', opened('mailto:ana@example.com')],
    ['tel:+1-416-555-0100', opened('tel:+1-416-555-0100')],
    ['/settings', '<a>x</a>'],
    ['#top', '<a>x</a>'],
    ['JaVaScRiPt:alert(1)', '<a>x</a>'],
    ['data:text/html,x', '<a>x</a>'],
    ['ftp://x.example', '<a>x</a>'],
    [`https://x.example/${'x'.repeat(9_000)}`, '<a>x</a>'],
  ])('%s', (href, expected) => expect(html(`<a href="${href}" target="_top" onclick="x()">x</a>`)).toBe(expected))
})

describe('remote images', () => {
  it('are removed and counted, and their addresses kept', () => {
    const mail =
      '<img src="http://track.example/p.gif?a=1&b=2" width="1"><img src="//cdn.example/x.png" alt="X"><img src="cid:a"><img src="x.png">'
    expect(sanitiseMail(mail)).toMatchObject({
      remoteImages: 2,
      html:
        '<img width="1" data-remote-src="https://track.example/p.gif?a=1&amp;b=2" /><img alt="X" data-remote-src="https://cdn.example/x.png" />' +
        '<img src="cid:a" /><img />',
    })
  })

  it('cannot be faked with our own attributes', () => {
    expect(sanitiseMail('<img data-remote-src="javascript:x"><p data-remote-src="https://x.example">x</p>')).toMatchObject({
      remoteImages: 0,
      html: '<img /><p>x</p>',
    })
  })

  it('drops an inline image that is too large', () => {
    expect(html(`<img src="data:image/png;base64,${'A'.repeat(300_000)}"><p>x</p>`)).toBe('<img /><p>x</p>')
    expect(html('<img src="data:image/svg+xml;base64,AAAA"><img src="data:image/png,x">')).toBe('<img /><img />')
  })
})

describe('emails of 5 MB', () => {
  const size = 5_000_000
  const times = (piece: string) => piece.repeat(size / piece.length)
  it.each([
    ['text', times('Hello ')],
    ['open tags', times('<div>')],
    ['open tags of formatting', times('<b>x')],
    ['closed tags', times('<b>x</b>')],
    ['ends of tags', times('</p>')],
    ['signs', times('<')],
    ['attributes', `<p ${times('a=1 ')}>x`],
    ['styles', times('<p style="color:red;margin:0 0 0 0">x</p>')],
    ['comments', times('<!--')],
    ['tables', times('<table><tr><td>')],
    ['foreign content', times('<svg><math><style>')],
    ['frames', times('<iframe>')],
  ])('keeps at most half a million characters quickly: %s', (_, mail) => {
    const start = performance.now()
    const { html, isTruncated } = sanitiseMail(mail)
    // About a second; a parser that compares each open tag with all others takes minutes.
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(html.length).toBeLessThan(503_000)
    expect(isTruncated).toBe(true)
    expect(dangersOf(html)).toEqual([])
  })

  it('cuts between nodes and closes open ones', () => {
    const { html, isTruncated } = sanitiseMail(`<table><tr><td>${'<p>Ana &amp; Lee</p>'.repeat(40_000)}</td></tr></table>`)
    expect(isTruncated).toBe(true)
    expect(html).toMatch(/(<p>Ana &amp; Lee<\/p>)(<p>[^<]*<\/p>)?<\/td><\/tr><\/table>$/)
    expect(html).not.toMatch(/&(?!amp;)/)
  })

  it('reads the text after a large image', () => {
    expect(sanitiseMail(`<img src="data:image/png;base64,${'A'.repeat(size)}"><p>Hello</p>`)).toEqual({
      html: '<img /><p>Hello</p>',
      remoteImages: 0,
      isTruncated: false,
    })
  })
})

describe('displayed emails', () => {
  it('open only in a frame, in a document without scripts', () => {
    for (const { html } of hostileEmails) {
      expect(documentFor(sanitiseMail(html).html, { showRemote: false })).not.toMatch(/<script|<base|http-equiv="refresh| src="https?:/i)
    }
  })
})

describe('sanitising an email that staff have written (issue 28)', () => {
  const written = (mail: string) => sanitiseWritten(mail) ?? ''
  const kept = /^(?:a|blockquote|br|div|em|img|li|ol|p|strong|u|ul)$/
  const problemsOf = (mail: string) => {
    const output = written(mail)
    const tags = [...output.matchAll(/<\/?([a-z\d]+)/g)].map(([, name]) => name!).filter((name) => !kept.test(name))
    const sources = [...output.matchAll(/ src="([^"]*)"/g)].map(([, src]) => src!).filter((src) => !src.startsWith('cid:'))
    return [...dangersOf(output), ...tags, ...sources]
  }

  it.each(hostileEmails.map((mail) => [mail.name, mail] as const))('%s', (_, mail) => {
    expect(problemsOf(mail.html)).toEqual([])
    expect(written(written(mail.html))).toBe(written(mail.html))
  })

  it('outputs nothing but formatting for any input', () => {
    const pieces =
      `<p> </p> <b> </b> <a\thref=" https:a.example javascript: "> </a> <ul> <li> </ul> <blockquote> <img\tsrc= "cid:x" <script> </script>
      <div\tstyle="color:red"> < > & &lt; &amp;lt; " ' <!-- --> <svg> <style> <br>`.split(/\s*(?:\n| )\s*/)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces.map((piece) => piece.replaceAll('\t', ' '))), { maxLength: 40 }), (parts) => {
        expect(problemsOf(parts.join(''))).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives up on more tags than someone writes', () => {
    expect(sanitiseWritten('<b>'.repeat(10_000))).toBeNull()
    expect(sanitiseWritten(`${'<blockquote>'.repeat(2_000)}deep`)).toContain('deep')
  })
})
