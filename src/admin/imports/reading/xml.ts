import sax from 'sax'

/** Limits that no spreadsheet software exceeds, against files made to exhaust memory. Lengths are checked by sax every 64 KiB. */
const xmlLimits = { depth: 64, attributes: 200, otherElements: 2_000_000 }

export type Tag = { name: string; attributes: Record<string, string> }
export type Handlers = { open?: (tag: Tag) => void; close?: (name: string) => void; text?: (text: string) => void }
/** Creates the errors for XML that is not well-formed, and for XML beyond a limit, which `what` describes. */
export type Refusals = { broken: () => Error; tooLarge: (what: string) => Error }

/** The local name of an element, because some programs write 'x:row'. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Elements that large sheets have many of. */
const cellElements = new Set(['row', 'c', 'v', 't', 'f', 'is', 'r', 'si', 'xf'])

/**
 * Parses XML as a stream, within `xmlLimits`. sax knows only the five entities of XML, and a DOCTYPE, which could declare others, is
 * refused. Long text arrives in pieces of about 64 KiB; a name, attribute or comment of that length is refused.
 */
export function parseXml(
  { open, close, text }: Handlers,
  { broken, tooLarge }: Refusals,
): { write: (xml: string) => void; end: () => void } {
  const parser = sax.parser(true, { position: false })
  let [depth, attributes, otherElements] = [0, 0, 0]
  let refusal: Error | null = null
  const refuse = (error: Error) => {
    refusal ??= error
    throw refusal
  }
  const refuseBroken = () => refuse(broken())
  Object.assign(parser, {
    onopentagstart: () => (attributes = 0),
    onattribute() {
      if (++attributes > xmlLimits.attributes) refuse(tooLarge(`more than ${xmlLimits.attributes} attributes in one element`))
    },
    onopentag(tag: sax.Tag | sax.QualifiedTag) {
      if (++depth > xmlLimits.depth) refuse(tooLarge(`elements nested more than ${xmlLimits.depth} levels deep`))
      const name = localName(tag.name)
      if (!cellElements.has(name) && ++otherElements > xmlLimits.otherElements)
        refuse(tooLarge(`more than ${xmlLimits.otherElements.toLocaleString('en-CA')} elements that are not cells`))
      open?.({ name, attributes: tag.attributes as Record<string, string> })
    },
    onclosetag(name: string) {
      depth--
      close?.(localName(name))
    },
    ontext: (piece: string) => text?.(piece),
    oncdata: (piece: string) => text?.(piece),
    ondoctype: refuseBroken,
    onerror: refuseBroken,
  } satisfies Partial<Record<keyof sax.SAXParser, unknown>>)
  parser.position = 0
  /** Turns errors thrown by sax itself, for instance for an attribute named hasOwnProperty, into `broken`. */
  const catchBroken = (parse: () => void) => {
    try {
      parse()
    } catch (error) {
      throw error instanceof TypeError || error instanceof RangeError ? broken() : error
    }
  }
  return {
    write(xml) {
      // sax limits its buffers by position, which it does not track itself without line numbers.
      parser.position += xml.length
      catchBroken(() => parser.write(xml))
    },
    end: () => catchBroken(() => parser.close()),
  }
}
