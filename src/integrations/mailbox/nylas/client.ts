import published from 'nylas'
import type { z } from 'zod'
import { observeCall } from '../../calls.ts'
import { outcomeOf } from '../failure.ts'
import type { Result } from '../mailbox.ts'
import { nylasFailure, unreadable } from './failure.ts'
import { inTime } from '../timeouts.ts'

// The package's types say that the class is a property of the module's default export; it is that export itself.
const Nylas = published as unknown as typeof published.default

export type NylasAccount = {
  apiKey: string
  /** Nylas' US server by default. */
  apiUri?: string
  /** For one call, including the response. Microsoft takes up to two minutes to send large emails. */
  timeoutSeconds: number
}

export const nylasClient = ({ apiKey, apiUri, timeoutSeconds }: NylasAccount) =>
  new Nylas({ apiKey, ...(apiUri && { apiUri: apiUri.replace(/\/+$/, '') }), timeout: timeoutSeconds })

/** The parsed result of the package's call. The package's own timeout ends with the first byte of a response, so another one wraps it. */
export const ask = <Shape extends z.ZodType>(
  call: () => Promise<unknown>,
  shape: Shape,
  how: CallOptions,
): Promise<Result<z.output<Shape>>> =>
  observeCall({ vendor: 'nylas', isEmail: how.isSend ?? false, outcomeOf }, () => request(call, shape, how))

type CallOptions = { timeoutSeconds: number; isSend?: boolean }

async function request<Shape extends z.ZodType>(
  call: () => Promise<unknown>,
  shape: Shape,
  { timeoutSeconds, isSend = false }: CallOptions,
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
