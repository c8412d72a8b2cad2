import { and, eq, isNull } from 'drizzle-orm'
import type { Env } from '../../kernel/env.ts'
import type { Scope } from '../../kernel/scope.ts'
import { campaignRecipients, campaigns } from './table.ts'

/** The address of a link in a message: a random token and the number of the link, nothing of the patient. */
export const clickAddress = ({ APP_URL }: Pick<Env, 'APP_URL'>, token: string, link: number): string => `${APP_URL}/c/${token}/${link}`

const gone = 'This link no longer works. / Ce lien ne fonctionne plus.'
const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/**
 * GET /c/{token}/{link}: opens a link of a campaign and notes that it was clicked, once for each patient. It leads only to addresses that the
 * campaign’s own template has. HEAD requests, which programs send, do not count.
 */
export async function clickResponse(scope: Scope, token: string, link: string, method: string): Promise<Response> {
  const [found] = await scope.db
    .select({ id: campaignRecipients.id, contents: campaigns.contents })
    .from(campaignRecipients)
    .innerJoin(campaigns, eq(campaigns.id, campaignRecipients.campaignId))
    .where(eq(campaignRecipients.clickToken, token.slice(0, 100)))
  const url = /^\d{1,4}$/.test(link) ? found?.contents?.links[Number(link)] : undefined
  if (!found || url === undefined)
    return new Response(gone, { status: 404, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } })
  if (method === 'GET')
    await scope.db
      .update(campaignRecipients)
      .set({ clickedAt: scope.now() })
      .where(and(eq(campaignRecipients.id, found.id), isNull(campaignRecipients.clickedAt)))
  return new Response(null, { status: 302, headers: { ...headers, location: url } })
}
