import { isNylas, type Notification, notification } from '../../integrations/mailbox/nylas-hook.ts'
import type { Env } from '../../kernel/env.ts'
import { limitCalls, parseBody, readBody, refuse } from '../../kernel/http/hook.ts'
import type { Scope } from '../../kernel/scope.ts'
import { announceMailbox, type Connection, connectionsOfGrant, loseConnection } from './connection.ts'
import { logLater, newestLink } from './links.ts'

/** Bytes: what is larger comes without the mail's words. */
const largest = 2 * 1024 * 1024

type Hook = (scope: Scope, request: Request) => Promise<Response>

/**
 * What Nylas tells: GET /api/hooks/nylas answers its challenge, POST takes a notification that is signed. It says that something is new and never
 * what: that is read from the mailbox. Hearing of it twice does no harm.
 */
export function createNylasHook(env: Env): { challenge: Hook; notified: Hook } {
  const secret = env.NYLAS_WEBHOOK_SECRET
  const off = () => refuse(404, 'NOT_FOUND', 'This practice takes no notifications here')
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
        return refuse(401, 'INVALID_SIGNATURE', 'This is not signed by Nylas')
      }
      const given = notification.safeParse(parseBody(bytes))
      if (!given.success) return refuse(422, 'INVALID_INPUT', 'This is no notification of Nylas')
      if (given.data.type !== 'other') await hear(scope, given.data)
      return Response.json({})
    },
  }
}

async function hear(scope: Scope, told: Exclude<Notification, { type: 'other' }>): Promise<void> {
  for (const connection of await connectionsOfGrant(scope.db, told.grantId)) {
    if (told.type === 'message') await tell(scope, connection, told.threadId)
    // One that comes late, or once more, tells of what its owner has connected again since, under the same grant.
    else if (told.at === null || told.at >= connection.connectedAt) await loseConnection(scope, connection)
  }
}

async function tell({ db }: Scope, connection: Connection, threadId: string | undefined): Promise<void> {
  await db.transaction(async (tx) => {
    const linkId = threadId === undefined ? null : await newestLink(tx, connection, threadId)
    if (linkId) await logLater(tx, linkId)
    await announceMailbox(tx, connection.userId)
  })
}
