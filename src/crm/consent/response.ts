import type { Scope } from '../../kernel/scope.ts'
import { unsubscribe } from './service.ts'

/** POST /u/{token} (RFC 8058): called by an email program's own unsubscribe button and by the unsubscribe page. */
export async function unsubscribeResponse(scope: Scope, token: string): Promise<Response> {
  const address = await unsubscribe(scope, token)
  if (address === null) return Response.json({ code: 'NOT_FOUND', message: 'This link does not work' }, { status: 404 })
  return Response.json({ address, isUnsubscribed: true })
}
