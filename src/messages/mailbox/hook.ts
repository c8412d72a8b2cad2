import { isNylas, type Notification, notification } from '../../integrations/mailbox/nylas/hook.ts'
import type { Env } from '../../kernel/env.ts'
import { limitCalls, parseBody, readBody, refuse } from '../../kernel/http/webhook.ts'
import type { Scope } from '../../kernel/scope.ts'
import { announceMailbox, type Connection, connectionsOfGrant, loseConnection } from './connection.ts'
import { logLater, newestLink } from './links.ts'

/** Bytes: what is larger comes without the mail's words. */
const largest = 2 * 1024 * 1024

type Hook = (scope: Scope, request: Request) => Promise<Response>

/**
 * Nylas webhooks: GET /api/hooks/nylas answers the challenge, POST accepts a signed notification. A notification only says that something
 * changed; the mailbox is read for the details. Idempotent.
 */
export function createNylasHook(env: Env): { challenge: Hook; notified: Hook } {
  const secret = env.NYLAS_WEBHOOK_SECRET
  const off = () => refuse(404, 'NOT_FOUND', 'This practice doesn’t receive notifications here')
  return {
    async challenge(scope, request) {
      const text = new URL(request.url).searchParams.get('challenge') ?? ''
      if (!secret) return off()
      const tooMany = await limitCalls(scope, 'nylas')
      if (tooMany) return tooMany
      if (!/^[\w.~+/=-]{1,500}$/.test(text)) return refuse(422, 'INVALID_INPUT', 'The challenge is missing')
      return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
    },
    async notified(scope, request) {
      const tooMany = await limitCalls(scope, 'nylas')
      if (tooMany) return tooMany
      if (!secret) return off()
      const bytes = await readBody(request, largest)
      if (!bytes) return refuse(413, 'BODY_TOO_LARGE', 'A notification may have 2 MB at most', { connection: 'close' })
      if (!isNylas(secret, request.headers.get('x-nylas-signature'), bytes)) {
        return refuse(401, 'INVALID_SIGNATURE', 'The Nylas signature is invalid')
      }
      const given = notification.safeParse(parseBody(bytes))
      if (!given.success) return refuse(422, 'INVALID_INPUT', 'This is not a Nylas notification')
      if (given.data.type !== 'other') await handleNotification(scope, given.data)
      return Response.json({})
    },
  }
}

async function handleNotification(scope: Scope, notification: Exclude<Notification, { type: 'other' }>): Promise<void> {
  for (const connection of await connectionsOfGrant(scope.db, notification.grantId)) {
    if (notification.type === 'message') await announceMessage(scope, connection, notification.threadId)
    // A late or repeated notification may refer to a grant that its owner has reconnected since.
    else if (notification.at === null || notification.at >= connection.connectedAt) await loseConnection(scope, connection)
  }
}

async function announceMessage({ db }: Scope, connection: Connection, threadId: string | undefined): Promise<void> {
  await db.transaction(async (tx) => {
    const linkId = threadId === undefined ? null : await newestLink(tx, connection, threadId)
    if (linkId) await logLater(tx, linkId)
    await announceMailbox(tx, connection.userId)
  })
}
