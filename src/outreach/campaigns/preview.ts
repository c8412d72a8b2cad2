import { eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import type { Language } from '../../shared/translations.ts'
import { documentFor, mailFrameHeaders } from '../../platform/mail/frame-rules.ts'
import { queueMail } from '../../platform/mail/service.ts'
import { withTextEnd } from '../../messages/inbox/service.ts'
import { sizeOfText } from '../../messages/inbox/text-rules.ts'
import { languageOf } from '../../crm/contacts/service.ts'
import { missingOf, sampleValuesOf, type TemplateValues } from '../../messages/email-templates/rules.ts'
import { company, valuesOfContact } from '../../messages/email-templates/service.ts'
import { audienceOf, judge } from './audience.ts'
import { currentContents, rendered, renderedText } from './content.ts'
import { asAuthor } from './read.ts'
import { previewInput } from './contract.ts'
import type { Refusal } from './rules.ts'
import { campaigns, type Content } from './table.ts'

type Asked = z.output<typeof previewInput>

/** A campaign as this patient, or a sample patient, is sent it. Null: the campaign or this variant does not exist. */
export async function previewCampaign(scope: Scope, { id, variant, contactId, language }: Asked) {
  const { db, env } = scope
  const [campaign] = await db.select().from(campaigns).where(eq(campaigns.id, id))
  if (!campaign) return null
  const own = contactId === undefined ? language : await languageOf(db, contactId)
  const contents = await currentContents(db, campaign)
  const content: Content = contents.variants[variant]?.[own] ?? { subject: '', text: '', html: '' }
  const values = contactId === undefined ? sampleValuesOf(company(env), own) : await seenValues(scope, contactId, own)
  if (!values) return refuse('NO_CONTACT')
  const isText = campaign.channel === 'text'
  const text = withTextEnd(env, own, renderedText(content.text, values))
  const missing = missingOf([content.subject, content.text, content.html], values)
  return {
    ...(isText ? { subject: '', text, html: '' } : rendered(content, values)),
    segments: isText ? sizeOfText(text).segments : null,
    missing: [...missing.unknown, ...missing.empty],
    refusedFor: contactId === undefined ? null : await refusalOf(scope, campaign, contactId),
  }
}

/** Records that the values were viewed. */
async function seenValues(scope: Scope, contactId: string, language: Language): Promise<TemplateValues | null> {
  const view = scope.recordView({ kind: 'contact', contactIds: [contactId] })
  const [values] = await Promise.all([valuesOfContact(scope.db, scope.env, contactId, language), view])
  return values
}

/** A patient outside the audience is judged alone. */
async function refusalOf(scope: Scope, campaign: typeof campaigns.$inferSelect, contactId: string): Promise<Refusal | null> {
  const refusalIn = async (judged: SQL) => {
    const { rows } = await scope.db.execute<{ refusal: Refusal | null }>(
      sql`select refusal from (${judged}) as audience where contact_id = ${contactId}::uuid`,
    )
    return rows[0]
  }
  const inAudience = await refusalIn(await audienceOf(asAuthor(scope, campaign), campaign))
  const judged = inAudience ?? (await refusalIn(await judge(scope, campaign, sql`select ${contactId}::uuid as id`)))
  return judged?.refusal ?? null
}

/** GET /api/campaigns/{id}/preview.html: the same as the document of its frame, which has a policy of its own. */
export async function previewResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const asked = previewInput.safeParse({ id, ...Object.fromEntries(new URL(request.url).searchParams) })
  const preview = asked.success ? await previewCampaign(scope, asked.data) : null
  const html = preview === null || isRefusal(preview) ? '' : preview.html
  return new Response(documentFor(html, { showRemote: true }), { headers: mailFrameHeaders({ showRemote: true }) })
}

/** Sends a campaign with a sample patient’s values to the person who asks. Null: the campaign does not exist. */
export async function testCampaign(scope: Scope, { id, variant, language }: Omit<Asked, 'contactId'>) {
  if (!scope.env.POSTMARK_TOKEN) return refuse('NO_MAIL')
  const preview = await previewCampaign(scope, { id, variant, language })
  if (preview === null || isRefusal(preview)) return null
  if (preview.segments !== null) return refuse('EMAIL_ONLY')
  const { subject, text, html } = preview
  const { email: to } = staff(scope)
  await scope.db.transaction((tx) => queueMail(tx, { to, subject: `[Test] ${subject}`, text, html }))
  return { to }
}
