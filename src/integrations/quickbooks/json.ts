/** The parsed body; undefined when it is not JSON, such as a gateway's page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
