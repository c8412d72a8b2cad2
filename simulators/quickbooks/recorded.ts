/**
 * Recorded calls of node-quickbooks and the responses that it accepted (`npm run sdk-proof -- --record`). Tokens differ each time, so
 * recordings have placeholders for them, such as `<access_token 2>`.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'

export type Exchange = {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  answer: { status: number; body: unknown }
}
/** By the operation performed with the package. */
export type Recording = Record<string, Exchange[]>

/** The same clock for recordings and replays, because responses contain the time. */
export const recordedAt = Date.UTC(2026, 4, 1, 15)

/** In characters. */
const maxRecorded = 4000

export const recordingFile = new URL('node-quickbooks.json', import.meta.url)

export const readRecording = () => JSON.parse(readFileSync(recordingFile, 'utf8')) as Recording

/** Placeholders for tokens in a recording. */
export class TokenNames {
  readonly #names = new Map<string, string>()

  /** Assigns a placeholder to each token of a response or grant. */
  learn(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return
    for (const [field, token] of Object.entries(answer)) {
      if (!/^(access|refresh)_token$/.test(field) || typeof token !== 'string' || this.#names.has(token)) continue
      const known = Array.from(this.#names.values()).filter((name) => name.startsWith(`<${field} `)).length
      this.#names.set(token, `<${field} ${known + 1}>`)
    }
  }

  /** Replaces tokens with placeholders. */
  hide(text: string): string {
    return Array.from(this.#names).reduce((hidden, [token, name]) => hidden.replaceAll(token, name), text)
  }

  /** Replaces placeholders with tokens. */
  fill(text: string): string {
    return Array.from(this.#names).reduce((filled, [token, name]) => filled.replaceAll(name, token), text)
  }
}

/** Replays a recorded call byte for byte, except its tokens. */
export async function send(url: string, { method, path, headers, body }: Exchange, tokens: TokenNames): Promise<Exchange['answer']> {
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, tokens.fill(value)]))
  const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request(new URL(tokens.fill(path), url), { method, headers: filled }, (response) => {
      void Array.fromAsync(response as AsyncIterable<Buffer>).then(
        (parts) => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        reject,
      )
    })
    call.once('error', reject).end(tokens.fill(body))
  })
  const content = parsed(answer.text)
  tokens.learn(content)
  return { status: answer.status, body: recordable(content, tokens) }
}

export const parsed = (text: string): unknown => (text === '' ? null : JSON.parse(text))

/** A response as recorded: of a long one, such as a hundred items, only the length and digest. */
export function recordable(content: unknown, tokens: TokenNames): unknown {
  const text = tokens.hide(JSON.stringify(content))
  if (text.length <= maxRecorded) return JSON.parse(text)
  return { characters: text.length, sha256: createHash('sha256').update(text).digest('hex') }
}
