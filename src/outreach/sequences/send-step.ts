import { randomBytes } from 'node:crypto'
import type { Env } from '../../kernel/env.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sendTemplates } from '../../messages/inbox/send-template.ts'
import { trackedLinks, withLinks, withRedirects } from '../click-rules.ts'
import { clickAddress } from '../clicks.ts'
import { messageRefusals } from './rules.ts'

/** The links of an email whose opening counts, by the redirect of `clicks.ts`. */
type Tracked = { clickToken: string; links: string[] }

/** What carrying out a step led to, for the log. `later`: the day's limit is reached, so that it is tried again then. */
export type Done =
  | ({ outcome: 'sent' | 'done'; refId: string | null } & Partial<Tracked>)
  | { outcome: 'refused'; reason: string }
  | { outcome: 'later'; at: Date }

interface Recipient {
  contactId: string
  /** Of the sequence. */
  name: string
  idempotencyKey: string
  /** A branch of the sequence asks whether a link was opened. */
  countsLinks: boolean
}

/** Queues the message of a step for each of these patients. What may not be sent is refused with its reason; the patient goes on to the next step. */
export async function sendSteps(tx: Db, scope: Scope, templateId: string, recipients: readonly Recipient[]): Promise<Map<string, Done>> {
  const tracked = new Map<string, Tracked>()
  const wanted = recipients.map(({ contactId, name, idempotencyKey, countsLinks }) => ({
    contactId,
    origin: { kind: 'sequence' as const, name },
    idempotencyKey,
    ...(countsLinks && { withHtml: (html: string) => track(scope.env, html, (links) => tracked.set(contactId, links)) }),
  }))
  const sent = await sendTemplates(tx, scope, { templateId }, wanted)
  return new Map(
    [...sent].map(([contactId, result]): [string, Done] => {
      if (!isRefusal(result)) return [contactId, { outcome: 'sent', refId: result.message.id, ...tracked.get(contactId) }]
      if (result.refusal === 'DAILY_LIMIT') return [contactId, { outcome: 'later', at: result.data.next }]
      return [contactId, { outcome: 'refused', reason: messageRefusals[result.refusal] }]
    }),
  )
}

/** Sends the links of an email through the redirect. */
function track(env: Pick<Env, 'APP_URL'>, html: string, keep: (tracked: Tracked) => void): string {
  const linked = withLinks(html)
  const clickToken = randomBytes(16).toString('base64url')
  const links = trackedLinks(linked)
  if (links.length > 0) keep({ clickToken, links })
  return withRedirects(linked, links, (link) => clickAddress(env, clickToken, link))
}
