/** What a body says; undefined when it is no JSON, as a gateway's page. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
