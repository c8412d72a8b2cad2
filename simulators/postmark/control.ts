/** The control endpoints outside the vendor's API, for tests and for people using the demo. */
import { z } from 'zod'
import { eventPayloads, eventRequest, type MailEvent } from './events.ts'
import { type FaultQueue, faultRequest } from './faults.ts'
import { type HookCall, type Hooks, hooksRequest } from './hooks.ts'
import type { Reply } from './http.ts'
import { inboundPayload, inboundRequest, type InboundMail } from './inbound.ts'
import { recipientsOf } from './message.ts'
import type { Outbox } from './outbox.ts'

export type SimulatorState = { outbox: Outbox; faults: FaultQueue; hooks: Hooks; inactive: Set<string> }

/** Receives an email. @returns the hook's first response. */
export const receive = ({ hooks }: SimulatorState, mail: InboundMail): Promise<HookCall> =>
  hooks.post('inbound', inboundPayload(inboundRequest.parse(mail), new Date()))

/** Reports a delivery event. @returns the hook's response; the notice that the address is now inactive is posted after it. */
export async function recordEvent({ hooks, outbox, inactive }: SimulatorState, input: MailEvent): Promise<HookCall> {
  const event = eventRequest.parse(input)
  const mail = event.messageId === undefined ? outbox.list(event.email)[0] : outbox.find(event.messageId)
  const email = (event.email ?? (mail && recipientsOf(mail)[0]) ?? '').toLowerCase()
  const { payloads, suppressed } = eventPayloads(event, email, mail, new Date())
  if (suppressed === true) inactive.add(email)
  if (suppressed === false) inactive.delete(email)
  const calls: HookCall[] = []
  for (const payload of payloads) calls.push(await hooks.post('events', payload))
  return calls[0]!
}

const inactiveRequest = z.object({ addresses: z.array(z.string()) })
const noContent: Reply = { status: 204, body: undefined }

/** @returns undefined for an unknown path. */
export async function control(state: SimulatorState, call: string, read: () => Promise<unknown>): Promise<Reply | undefined> {
  const { faults, hooks, inactive } = state
  const withInput = async <T>(shape: z.ZodType<T>, act: (input: T) => Reply | Promise<Reply>): Promise<Reply> => {
    const input = shape.safeParse(await read())
    return input.success ? act(input.data) : { status: 400, body: { message: z.prettifyError(input.error) } }
  }
  switch (call) {
    case 'GET /_control/faults':
      return { status: 200, body: faults.list() }
    case 'POST /_control/faults':
      return withInput(faultRequest, (fault) => {
        faults.add(fault)
        return noContent
      })
    case 'DELETE /_control/faults':
      faults.clear()
      return noContent
    case 'POST /_control/inactive':
      return withInput(inactiveRequest, ({ addresses }) => {
        for (const address of addresses) inactive.add(address.toLowerCase())
        return noContent
      })
    case 'DELETE /_control/inactive':
      inactive.clear()
      return noContent
    case 'GET /_control/hooks':
      return { status: 200, body: hooks.calls }
    case 'POST /_control/hooks':
      return withInput(hooksRequest, (addresses) => {
        hooks.set(addresses)
        return noContent
      })
    case 'POST /_control/inbound':
      return withInput(inboundRequest, async (mail) => ({ status: 200, body: await receive(state, mail) }))
    case 'POST /_control/event':
      return withInput(eventRequest, async (event) => {
        const isKnown = event.messageId === undefined || event.email !== undefined || state.outbox.find(event.messageId)
        if (!isKnown) return { status: 404, body: { message: 'Email not found in the outbox. Set `email` as well.' } }
        return { status: 200, body: await recordEvent(state, event) }
      })
    case 'POST /_control/retry':
      return { status: 200, body: await hooks.retryNow() }
    default:
      return undefined
  }
}
