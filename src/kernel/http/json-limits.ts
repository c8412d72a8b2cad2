/** Limits of a JSON text: nesting depth of objects and arrays, and number of values. */
export type JsonLimits = { depth: number; values: number }

/** The limits for calls, far above any valid input. */
export const callLimits: JsonLimits = { depth: 64, values: 20_000 }

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}')

/**
 * The limit that a JSON text exceeds, or null. Checked before parsing, because deep nesting exhausts the stack and very many values the
 * memory. Invalid JSON is left to the parser.
 */
export function exceededLimit(json: Uint8Array, limits: JsonLimits): keyof JsonLimits | null {
  if (json.length <= limits.depth) return null
  let [depth, values] = [0, 1]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) at = endOfString(json, at + 1)
    else if (byte === openList || byte === openObject) {
      values++
      if (++depth > limits.depth) return 'depth'
    } else if (byte === closeList || byte === closeObject) depth--
    else if (byte === comma && ++values > limits.values) return 'values'
  }
  return null
}

function endOfString(json: Uint8Array, from: number): number {
  for (let at = json.indexOf(quote!, from); at >= 0; at = json.indexOf(quote!, at + 1)) {
    let escapes = 0
    while (json[at - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}
