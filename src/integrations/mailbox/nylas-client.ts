import published from 'nylas'
import type { z } from 'zod'
import type { Result } from './mailbox.ts'
import { nylasFailure, unreadable } from './nylas-failure.ts'
import { inTime } from './patience.ts'

// The package's types say that the class is a property of the module's default export; it is that export itself.
const Nylas = published as unknown as typeof published.default

export type NylasAccount = {
  apiKey: string
  /** Nylas' American one unless told otherwise. */
  apiUri?: string
  /** For one call, answer included. Large mails take Microsoft up to two minutes to send. */
  timeoutSeconds: number
}

export const nylasClient = ({ apiKey, apiUri, timeoutSeconds }: NylasAccount) =>
  new Nylas({ apiKey, ...(apiUri && { apiUri: apiUri.replace(/\/+$/, '') }), timeout: timeoutSeconds })

/** What the package's call answers, read. The package's own timeout ends with the first byte of an answer, so that there is one around it. */
export async function ask<Shape extends z.ZodType>(
  call: () => Promise<unknown>,
  shape: Shape,
  { timeoutSeconds, isSend = false }: { timeoutSeconds: number; isSend?: boolean },
): Promise<Result<z.output<Shape>>> {
  let reply: unknown
  try {
    reply = await inTime(call(), timeoutSeconds)
  } catch (error) {
    return nylasFailure(error, isSend)
  }
  const read = shape.safeParse(reply)
  return read.success ? { ok: true, value: read.data } : unreadable(isSend)
}
