/** Writes and reads S3's XML. */
type Content = string | number | readonly Element[]
export type Element = readonly [name: string, content: Content]

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** A complete document. Only errors have no namespace. */
export function xmlDocument(root: string, content: readonly Element[]): string {
  const attribute = root === 'Error' ? '' : ` xmlns="${namespace}"`
  return `${declaration}<${root}${attribute}>${xml(content)}</${root}>`
}

/** The texts of all elements with this name and without children, in order. */
export function textsOf(document: string, name: string): string[] {
  return Array.from(document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g')), ([, text = '']) => unescapeXml(text))
}

function xml(content: Content): string {
  if (typeof content !== 'object') return escapeXml(String(content))
  return content.map(([name, inner]) => `<${name}>${xml(inner)}</${name}>`).join('')
}

const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescapeXml = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    return decimal ? String.fromCodePoint(Number(decimal)) : (named[name] ?? whole)
  })
