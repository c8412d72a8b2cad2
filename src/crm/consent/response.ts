import type { Scope } from '../../kernel/scope.ts'
import { unsubscribe } from './service.ts'

/** POST /u/{token} (RFC 8058): what a mail program asks for when its own button is pressed, and the page of the link does too. */
export async function unsubscribeResponse(scope: Scope, token: string): Promise<Response> {
  const address = await unsubscribe(scope, token)
  if (address === null) return Response.json({ code: 'NOT_FOUND', message: 'This link does not work' }, { status: 404 })
  return Response.json({ address, isUnsubscribed: true })
}
