/** Notifications: CloudEvents, signed with HMAC-SHA256 over the body, and the challenge that a URL must response first. */
import { createHmac } from 'node:crypto'
import type { Message } from '../mailbox.ts'
import type { Grant } from './grants.ts'
import { messageShape } from './shapes.ts'

export type Hook = { url: string; secret: string }
/** `time`: in seconds since 1970. */
export type Notification = { id: string; type: string; source: string; time: number; object: Record<string, unknown> }

/** The receiver's response, or why there was no response. */
export type Delivery = { status: number; body: string } | { error: string }

/** @returns whether the URL responded with exactly the challenge. */
export async function challenge(hook: Hook): Promise<boolean> {
  const text = crypto.randomUUID()
  const url = new URL(hook.url)
  url.searchParams.set('challenge', text)
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  return response?.status === 200 && (await response.text()) === text
}

/** @param attempt from 1. A repeated notification keeps its id and time. */
export async function deliver(
  hook: Hook,
  { id, type, source, time, object }: Notification,
  options: { clientId: string; attempt?: number },
): Promise<Delivery> {
  const body = JSON.stringify({
    specversion: '1.0',
    type,
    source,
    id,
    time,
    webhook_delivery_attempt: options.attempt ?? 1,
    data: { application_id: options.clientId, object },
  })
  const headers = { 'content-type': 'application/json', 'x-nylas-signature': signatureOf(body, hook.secret) }
  try {
    const response = await fetch(hook.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
    return { status: response.status, body: await response.text() }
  } catch (error) {
    return { error: String(error) }
  }
}

export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** @param now in milliseconds. */
export function messageCreated(message: Message, grant: Grant, now: number): Notification {
  const object = messageShape(message, grant)
  return { id: crypto.randomUUID(), type: 'message.created', source: `/${grant.provider}/emails/realtime`, time: secondOf(now), object }
}

/** @param now in milliseconds. */
export function grantExpired(grant: Grant, now: number): Notification {
  const { id: grant_id, provider, email, updatedAt: grant_updated_at } = grant
  const object = { code: 25009, grant_id, integration_id: provider, provider, email, grant_updated_at }
  return { id: crypto.randomUUID(), type: 'grant.expired', source: '/nylas/system', time: secondOf(now), object }
}

const secondOf = (now: number): number => Math.floor(now / 1000)
