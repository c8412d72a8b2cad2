import { and, eq, isNull } from 'drizzle-orm'
import type { Env } from '../kernel/env.ts'
import type { Scope } from '../kernel/scope.ts'
import { campaignRecipients, campaigns } from './campaigns/table.ts'
import { sequenceSteps } from './sequences/table.ts'

/** The address of a link in an email: a random token and the number of the link, nothing of the patient. */
export const clickAddress = ({ APP_URL }: Pick<Env, 'APP_URL'>, token: string, link: number): string => `${APP_URL}/c/${token}/${link}`

/** 16 random bytes in base64url. */
const isToken = (token: string): boolean => /^[\w-]{22}$/.test(token)

const gone = 'This link no longer works. / Ce lien ne fonctionne plus.'
const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/**
 * GET /c/{token}/{link}: opens a link of a campaign or a sequence and notes that it was clicked, once for each email. It leads only to addresses
 * that the email has. HEAD requests, which programs send, do not count.
 */
export async function clickResponse(scope: Scope, token: string, link: string, method: string): Promise<Response> {
  const found = isToken(token) ? ((await ofCampaign(scope, token)) ?? (await ofSequence(scope, token))) : null
  const url = /^\d{1,4}$/.test(link) ? found?.links[Number(link)] : undefined
  if (!found || url === undefined)
    return new Response(gone, { status: 404, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } })
  if (method === 'GET') await found.note()
  return new Response(null, { status: 302, headers: { ...headers, location: url } })
}

async function ofCampaign({ db, now }: Scope, token: string) {
  const [found] = await db
    .select({ id: campaignRecipients.id, contents: campaigns.contents })
    .from(campaignRecipients)
    .innerJoin(campaigns, eq(campaigns.id, campaignRecipients.campaignId))
    .where(eq(campaignRecipients.clickToken, token))
  if (!found) return null
  const isFirst = and(eq(campaignRecipients.id, found.id), isNull(campaignRecipients.clickedAt))
  return { links: found.contents?.links ?? [], note: () => db.update(campaignRecipients).set({ clickedAt: now() }).where(isFirst) }
}

async function ofSequence({ db, now }: Scope, token: string) {
  const [found] = await db
    .select({ id: sequenceSteps.id, links: sequenceSteps.links })
    .from(sequenceSteps)
    .where(eq(sequenceSteps.clickToken, token))
  if (!found) return null
  const isFirst = and(eq(sequenceSteps.id, found.id), isNull(sequenceSteps.clickedAt))
  return { links: found.links ?? [], note: () => db.update(sequenceSteps).set({ clickedAt: now() }).where(isFirst) }
}
