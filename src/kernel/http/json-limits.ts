/** Of a JSON text: how deep its objects and lists may be nested, and how many values it may have. */
export type JsonLimits = { depth: number; values: number }

/** What any call may be sent: no input of a call comes near. */
export const callLimits: JsonLimits = { depth: 64, values: 20_000 }

const [quote, backslash, comma, openList, closeList, openObject, closeObject] = Buffer.from('"\\,[]{}')

/**
 * Which limit a JSON text exceeds; null when it keeps within both. Looked at before it is parsed: a deep one exhausts the stack of whatever walks
 * through it, and one of very many values the memory. What is not JSON is left to the parser.
 */
export function exceededLimit(json: Uint8Array, limits: JsonLimits): keyof JsonLimits | null {
  if (json.length <= limits.depth) return null
  let [depth, values] = [0, 1]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) at = endOfText(json, at + 1)
    else if (byte === openList || byte === openObject) {
      values++
      if (++depth > limits.depth) return 'depth'
    } else if (byte === closeList || byte === closeObject) depth--
    else if (byte === comma && ++values > limits.values) return 'values'
  }
  return null
}

function endOfText(json: Uint8Array, from: number): number {
  for (let at = json.indexOf(quote!, from); at >= 0; at = json.indexOf(quote!, at + 1)) {
    let escapes = 0
    while (json[at - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return json.length
}
