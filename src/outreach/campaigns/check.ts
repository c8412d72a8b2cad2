import { eq, sql } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import { maySendCommercial } from '../../messages/inbox/service.ts'
import { inboxTexts } from '../../messages/inbox/texts.ts'
import { audienceOf } from './audience.ts'
import { chosenTemplates, contentsOf } from './content.ts'
import { type CampaignCheck, campaignMessages } from './contract.ts'
import { asAuthor } from './read.ts'
import { linkProblem, linksIn, type Refusal, refusalReasons, spamSigns } from './rules.ts'
import { campaigns } from './table.ts'

/** What is looked at before a campaign is sent: who would be refused, and what readers and spam filters mind. Null: it does not exist. */
export async function checkCampaign(scope: Scope, id: string): Promise<CampaignCheck | null> {
  const { db, env } = scope
  const [campaign] = await db.select().from(campaigns).where(eq(campaigns.id, id))
  if (!campaign) return null
  const audience = await audienceOf(asAuthor(scope, campaign), campaign.audience)
  const { rows } = await db.execute<{ refusal: Refusal | null; count: number }>(
    sql`select refusal, count(*)::int as count from (${audience}) as audience group by refusal`,
  )
  const countOf = (reason: Refusal | null) => rows.find(({ refusal }) => refusal === reason)?.count ?? 0
  const chosen = await chosenTemplates(db, campaign)
  const contents = Object.values(contentsOf(chosen).variants).flatMap(({ en, fr }) => [en, fr])
  const spam = new Map(contents.flatMap(({ subject, text }) => spamSigns(subject, text)).map((sign) => [sign.found.toLowerCase(), sign]))
  const links = [...new Set(contents.flatMap(({ html }) => linksIn(html)))]
  const sender = [env.PRACTICE_ADDRESS, env.PRACTICE_PHONE, env.MAIL_REPLY_TO].filter(Boolean).join(', ')
  const line = (language: 'en' | 'fr') =>
    `${inboxTexts[language]('sentBy', { practice: env.PRACTICE_NAME, contact: sender })} ${inboxTexts[language]('unsubscribe')}`
  const isComplete = chosen.some(({ variant }) => variant === 'a') && (campaign.testPercent === null || chosen.length === 2)
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    sendable: countOf(null),
    refused: refusalReasons.map((reason) => ({ reason, count: countOf(reason) })).filter(({ count }) => count > 0),
    contents: chosen.map(({ variant, template, french }) => ({
      variant,
      name: template.name,
      subject: template.subject,
      hasFrench: french.id !== template.id,
    })),
    spam: [...spam.values()],
    links: links.map((url) => ({ url, problem: linkProblem(url) })),
    from: env.MAIL_FROM,
    replyTo: env.MAIL_REPLY_TO,
    unsubscribe: { en: line('en'), fr: line('fr') },
    perWeek: env.MESSAGES_PER_WEEK,
    problems: [
      ...(isComplete ? [] : [campaignMessages.template]),
      ...(maySendCommercial(env) ? [] : [campaignMessages.postalAddress]),
      ...(env.POSTMARK_TOKEN ? [] : [campaignMessages.noMail]),
      ...(countOf(null) > 0 ? [] : [campaignMessages.noOne]),
    ],
  }
}
