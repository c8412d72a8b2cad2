/** Inline styles of an email: an allowlist of properties and values. Everything else is dropped. */

const keyword = (...words: string[]) => new RegExp(`^(?:${words.join('|')}|inherit|initial)$`)
const number = String.raw`\d{0,4}(?:\.\d{1,4})?`
const length = String.raw`(?:0|${number}(?:px|pt|em|rem|ex|ch|%|in|cm|mm))`
const colour = String.raw`(?:#[0-9a-f]{3,8}|[a-z]{3,24}|(?:rgb|hsl)a?\([\d\s.,%/]{1,48}\))`
const upTo4 = (one: string) => new RegExp(`^${one}(?: ${one}){0,3}$`)
const lineStyle = '(?:none|hidden|solid|dashed|dotted|double|groove|ridge|inset|outset)'
const lineWidth = `(?:${length}|thin|medium|thick)`

const size = new RegExp(`^(?:${length}|auto|none|min-content|max-content|fit-content)$`)
const space = upTo4(`(?:${length}|auto)`)
const padding = upTo4(length)
const border = new RegExp(`^(?:${lineWidth}|${lineStyle}|${colour})(?: (?:${lineWidth}|${lineStyle}|${colour})){0,2}$`)
const onlyColour = new RegExp(`^${colour}$`)
const family = String.raw`(?:"[\w .-]{1,60}"|'[\w .-]{1,60}'|[\w.-][\w .-]{0,59})`

/** Normalized values: lower case except font names, single spaces, no url() or other function, no position. */
const properties = new Map<string, RegExp>([
  ['color', onlyColour],
  ['background-color', onlyColour],
  // Colour only: an image here would load from outside.
  ['background', onlyColour],
  ['font-family', new RegExp(`^${family}(?: ?, ?${family}){0,19}$`, 'i')],
  ['font-size', /^(?:\d{1,3}(?:\.\d{1,4})?(?:px|pt|%)|\d{1,2}(?:\.\d{1,4})?r?em|(?:xx?-)?(?:small|large)|medium|smaller|larger|inherit)$/],
  ['font-style', keyword('normal', 'italic', 'oblique')],
  ['font-weight', keyword('normal', 'bold', 'bolder', 'lighter', '[1-9]00')],
  ['font-variant', keyword('normal', 'small-caps')],
  ['line-height', new RegExp(`^(?:normal|inherit|${number}|${length})$`)],
  ['letter-spacing', new RegExp(`^(?:normal|-?${length})$`)],
  ['word-spacing', new RegExp(`^(?:normal|-?${length})$`)],
  ['text-align', keyword('left', 'right', 'center', 'justify', 'start', 'end')],
  ['text-decoration', keyword('none', 'underline', 'line-through', 'overline')],
  ['text-transform', keyword('none', 'uppercase', 'lowercase', 'capitalize')],
  ['text-indent', new RegExp(`^${length}$`)],
  ['vertical-align', keyword('baseline', 'top', 'middle', 'bottom', 'sub', 'super', 'text-top', 'text-bottom', length)],
  ['white-space', keyword('normal', 'nowrap', 'pre', 'pre-wrap', 'pre-line')],
  ['word-break', keyword('normal', 'break-all', 'break-word', 'keep-all')],
  ['word-wrap', keyword('normal', 'break-word')],
  ['overflow-wrap', keyword('normal', 'break-word', 'anywhere')],
  ['direction', keyword('ltr', 'rtl')],
  [
    'display',
    keyword('none', 'block', 'inline', 'inline-block', 'list-item', 'table', 'table-row', 'table-cell', 'table-row-group', 'inline-table'),
  ],
  ['float', keyword('none', 'left', 'right')],
  ['clear', keyword('none', 'left', 'right', 'both')],
  ['table-layout', keyword('auto', 'fixed')],
  ['list-style-type', keyword('none', 'disc', 'circle', 'square', 'decimal', '(?:lower|upper)-(?:alpha|roman|latin)')],
  ['border-collapse', keyword('collapse', 'separate')],
  ['border-spacing', upTo4(length)],
  ['border-radius', upTo4(length)],
  ...['width', 'height', 'min-width', 'max-width', 'min-height', 'max-height'].map((name) => [name, size] as const),
  ...['', '-top', '-right', '-bottom', '-left'].flatMap(
    (side) =>
      [
        [`margin${side}`, space],
        [`padding${side}`, padding],
        [`border${side}`, border],
        [`border${side}-color`, upTo4(colour)],
        [`border${side}-style`, upTo4(lineStyle)],
        [`border${side}-width`, upTo4(lineWidth)],
      ] as const,
  ),
])

const maxStyleLength = 4_000
const maxValueLength = 400

/**
 * The allowed part of a style attribute. Declarations are matched literally, without CSS's grammar: one with an escape, a comment or
 * anything that would need parsing matches nothing and is dropped, and so is one split by a semicolon within quotes.
 */
export function safeStyle(style: string): string {
  if (style.length > maxStyleLength) return ''
  const kept: string[] = []
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const name = declaration.slice(0, colon).trim().toLowerCase()
    const allowed = properties.get(name)
    if (!allowed) continue
    const text = declaration
      .slice(colon + 1)
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/ ?! ?important$/i, '')
    const value = name === 'font-family' ? text : text.toLowerCase()
    if (value !== '' && value.length <= maxValueLength && allowed.test(value)) kept.push(`${name}:${value}`)
  }
  return kept.join(';')
}
